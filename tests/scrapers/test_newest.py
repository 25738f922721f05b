"""Which answer of an address is its newest, held against a store that takes captures one by one."""

import random
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Capture
from benchloom.core.records.capture import CaptureKind
from scrapers.captures import CaptureStore
from scrapers.crawling.newest import Standing, standings
from scrapers.crawling.read_parts import Damaged, ReadCaptures, write_read

ANSWERS: tuple[CaptureKind, ...] = ("response", "rendered")
SITES = ("routinehub", "macstories", "icloud", "another")


def capture(number: int, draw: random.Random) -> Capture:
    """A capture of a few addresses, answers and sites, so that all meet each other."""
    kind = draw.choice((*ANSWERS, "response", "revisit", "revisit", "fault"))
    url = f"https://pages.example/{draw.randrange(4)}"
    told = f"capture:{url}:{draw.randrange(3)}:{kind == 'rendered'}"
    refers = f"capture:{url}:{draw.randrange(4)}:{draw.random() < 0.5}"
    return Capture(
        capture_id=told if kind in ANSWERS else f"capture:{number}",
        site=draw.choice(SITES[: draw.choice((1, 1, 4))]),
        kind=kind,
        url=url,
        fetched_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        body_digest="sha256:0",
        body_bytes=0,
        warc="a/a.warc.gz",
        offset=number,
        length=1,
        refers_to=refers if kind == "revisit" and draw.random() < 0.9 else None,
    )


def told(captures: list[Capture], folder: Path) -> list[Standing]:
    """By columns, in parts of some captures."""
    parts = []
    for number, start in enumerate(range(0, len(captures), 7)):
        parts.append(folder / f"read-{number:05d}.arrow")
        some = captures[start : start + 7]
        write_read(parts[-1], ((one, None) for one in some), Damaged("a/a.warc.gz"))
    return [Standing(one) for one in standings(ReadCaptures(parts))]


def expected(captures: list[Capture], folder: Path) -> list[Standing]:
    """By a store, which takes in one after the other."""
    store = CaptureStore(folder / "nothing")
    for one in captures:
        store.add(one)
    newest = {
        id(store.latest(one.url, rendered=rendered))
        for one in captures
        for rendered in (False, True)
    }
    return [
        Standing.NONE
        if one.kind not in ANSWERS or one.site not in SITES[:2]
        else Standing.NEWEST
        if id(one) in newest
        else Standing.EARLIER
        for one in captures
    ]


@pytest.mark.parametrize("seed", range(60))
def test_the_newest_are_those_of_a_store(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    captures = [capture(number, draw) for number in range(draw.choice((1, 8, 40)))]
    # Sites apart, as addresses are: what one site's page confirms is no other's.
    captures = [
        msgspec.structs.replace(
            one,
            url=f"{one.url}?{one.site}",
            capture_id=f"{one.capture_id}?{one.site}",
            refers_to=one.refers_to and f"{one.refers_to}?{one.site}",
        )
        for one in captures
    ]
    assert told(captures, tmp_path) == expected(captures, tmp_path)


def test_no_captures_stand_nowhere(tmp_path: Path) -> None:
    assert told([], tmp_path) == []
