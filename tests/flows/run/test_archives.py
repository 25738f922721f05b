"""Web archives whose members are remembered are not scanned again."""

import io
import shutil
import zipfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import Header
from benchloom.storage.inputs import (
    SourceObject,
    each_object,
    list_objects,
    stretches,
)
from benchloom.storage.inputs import reached as reached_by_scanning
from benchloom.storage.memory import remembering
from flows.run import reads
from flows.run.reads import listed_objects, reached_objects
from scrapers.captures import CaptureWriter

Facts = list[tuple[str, int, str]]
Places = list[tuple[str, int]]
Wanted = Callable[[SourceObject], bool]


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def write_web_archive(path: Path, bodies: dict[str, bytes]) -> None:
    """Pages with these bodies, and behind them a page that is cut short."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    for name, body in bodies.items():
        fields = {"WARC-Date": "2026-02-03T04:05:06Z"}
        record = writer.create_warc_record(
            f"https://site.example/{name}",
            "resource",
            io.BytesIO(body),
            len(body),
            warc_headers_dict=fields,
        )
        writer.write_record(record)
    path.write_bytes(out.getvalue() + out.getvalue()[:40])


def everything(_: SourceObject) -> bool:
    return True


def wanted(source: SourceObject) -> bool:
    return not source.source_uri.endswith("!b")


def listed(inputs: Path, memory: Path | None, which: Wanted = everything) -> Places:
    with remembering(memory):
        return [(source.source_uri, source.size) for source in listed_objects([inputs], which)]


def scanned(inputs: Path, which: Wanted = everything) -> Places:
    return [(source.source_uri, source.size) for source in each_object([inputs]) if which(source)]


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    """Web archives with a page captured twice, a fault, a damage; other files beside."""
    folder = tmp_path / "crawled"
    with CaptureWriter(folder, "site", "site-00001.warc.gz") as writer:
        site, day = "https://site.example/", "2026-01-01T00:00:00Z"
        headers = (Header("content-type", "text/plain"),)
        for body, name in ((b"1", "b"), (b"2", "a!"), (b"3", "b"), (b"4", "c"), (b"", "a")):
            writer.response(site + name, (200, "OK"), headers, body, day)
        writer.fault(f"{site}aa", "timeout", "no answer", day)
    write_web_archive(folder / "site" / "site-00002.warc.gz", {"b": b"5", "d": b"6"})
    (folder / "site" / "site-00001.warc.gz!").write_bytes(b"7")
    write_zip(folder / "site" / "zz.zip", {"a": b"8", "b": b"9"})
    return folder


def content_of(source: SourceObject) -> str:
    try:
        return source.read().hex()
    except RejectedInputError as error:
        return f"{error.reason}: {error.message}"


def contents(objects: Iterable[SourceObject]) -> Facts:
    return [(source.source_uri, source.size, content_of(source)) for source in objects]


@pytest.mark.parametrize("which", [everything, wanted])
def test_members_that_are_remembered_are_those_of_the_archives(
    crawled: Path, tmp_path: Path, which: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = scanned(crawled, which)
    assert listed(crawled, None, which) == truth
    assert listed(crawled, tmp_path / "m", which) == truth
    with monkeypatch.context() as patch:
        patch.setattr(reached_by_scanning, "iter_archive", None)
        assert listed(crawled, tmp_path / "m", which) == truth
    assert listed(crawled, tmp_path / "m", everything) == scanned(crawled)


def test_an_archive_with_other_bytes_is_read_again(crawled: Path, tmp_path: Path) -> None:
    before = listed(crawled, tmp_path / "m")
    write_web_archive(crawled / "site" / "site-00002.warc.gz", {"b": b"5", "e": b"6"})
    assert listed(crawled, tmp_path / "m") == scanned(crawled) != before


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for memory in (None, tmp_path / "m"):
        for folder in (tmp_path / "empty", tmp_path / "missing"):
            with pytest.raises(RunError):
                listed(folder, memory)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 20])
def test_what_a_stretch_reaches_is_known_without_scanning(
    crawled: Path, tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        every = list_objects([crawled], stack)
        truth = contents(every)
    assert len({uri for uri, _, _ in truth}) == len(truth) - 1 >= 11
    listed(crawled, tmp_path / "m")
    ranges = [(at, min(at + size, len(every))) for at in range(0, len(every), size)]
    parts = stretches([uri for uri, _, _ in truth], ranges)

    def reached() -> Facts:
        with ExitStack() as stack, remembering(tmp_path / "m", owner=False):
            object_groups = (
                part.cut(reached_objects([crawled], stack, part, everything)) for part in parts
            )
            return [fact for objects in object_groups for fact in contents(objects)]

    with monkeypatch.context() as patch:
        patch.setattr(reached_by_scanning, "iter_archive", None)
        assert reached() == truth
    for damage in (b"", b"of another kind"):
        reads._sorted_members.cache_clear()
        for path in (tmp_path / "m").glob("*.sqlite"):
            path.write_bytes(damage)
        assert reached() == truth
    reads._sorted_members.cache_clear()
    shutil.rmtree(tmp_path / "m")
    assert reached() == truth
