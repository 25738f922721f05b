"""Compare the newest answer of each address with a store that adds captures one by one."""

import random
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Capture
from benchloom.core.records.captures import CaptureKind
from scrapers.captures import CaptureStore
from scrapers.crawl.captured import CaptureStatus, capture_statuses
from scrapers.crawl.read_parts import Damaged, ReadCaptures, write_read
from tests.support.captured_tables import capture
from tests.support.soak import samples

ANSWERS: tuple[CaptureKind, ...] = ("response", "rendered")
SITES = ("routinehub", "macstories", "icloud", "another")


def draw_capture(number: int, draw: random.Random) -> Capture:
    """Draw a capture from a few addresses, answers and sites, so that captures meet each other."""
    kind = draw.choice((*ANSWERS, "response", "revisit", "revisit", "fault"))
    url = f"https://pages.example/{draw.randrange(4)}"
    answer_id = f"capture:{url}:{draw.randrange(3)}:{kind == 'rendered'}"
    refers = f"capture:{url}:{draw.randrange(4)}:{draw.random() < 0.5}"
    return capture(
        capture_id=answer_id if kind in ANSWERS else f"capture:{number}",
        site=draw.choice(SITES[: draw.choice((1, 1, 4))]),
        kind=kind,
        url=url,
        offset=number,
        refers_to=refers if kind == "revisit" and draw.random() < 0.9 else None,
    )


def column_statuses(captures: list[Capture], folder: Path) -> list[CaptureStatus]:
    """Return the statuses computed by columns from files of seven captures."""
    parts = []
    for number, start in enumerate(range(0, len(captures), 7)):
        parts.append(folder / f"read-{number:05d}.arrow")
        part_captures = captures[start : start + 7]
        write_read(
            parts[-1],
            ((source_capture, None) for source_capture in part_captures),
            Damaged("a/a.warc.gz"),
        )
    return [CaptureStatus(status) for status in capture_statuses(ReadCaptures(parts))]


def store_statuses(captures: list[Capture], folder: Path) -> list[CaptureStatus]:
    """Return the statuses computed by a store that adds one capture after another."""
    store = CaptureStore(folder / "nothing")
    for source_capture in captures:
        store.add(source_capture)
    newest = {
        id(store.latest(source_capture.url, rendered=rendered))
        for source_capture in captures
        for rendered in (False, True)
    }
    return [
        CaptureStatus.NONE
        if source_capture.kind not in ANSWERS or source_capture.site not in SITES[:2]
        else CaptureStatus.NEWEST
        if id(source_capture) in newest
        else CaptureStatus.EARLIER
        for source_capture in captures
    ]


@pytest.mark.parametrize("seed", range(samples(20, 60)))
def test_newest_answers_equal_those_of_a_store(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    captures = [draw_capture(number, draw) for number in range(draw.choice((1, 8, 40)))]
    # Sites do not share addresses, so a site's revisit never confirms an answer of another site.
    captures = [
        msgspec.structs.replace(
            source_capture,
            url=f"{source_capture.url}?{source_capture.site}",
            capture_id=f"{source_capture.capture_id}?{source_capture.site}",
            refers_to=source_capture.refers_to
            and f"{source_capture.refers_to}?{source_capture.site}",
        )
        for source_capture in captures
    ]
    assert column_statuses(captures, tmp_path) == store_statuses(captures, tmp_path)


def test_no_captures_give_no_statuses(tmp_path: Path) -> None:
    assert column_statuses([], tmp_path) == []
