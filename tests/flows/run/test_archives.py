"""Check that web archives whose members are remembered are not scanned again."""

import io
import shutil
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import Header
from benchloom.storage.inputs import SourceObject, each_object, listing
from benchloom.storage.memory import remembering
from benchloom.storage.workspace import MEMORY
from flows.run import reads
from flows.run.reads import objects_under
from scrapers.captures import CaptureWriter

Facts = list[tuple[str, int, str]]
Filter = Callable[[SourceObject], bool]


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def write_web_archive(path: Path, bodies: dict[str, bytes]) -> None:
    """Write pages with these bodies, and a truncated page after them."""
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


def accept_all(_: SourceObject) -> bool:
    return True


def reject_b(source: SourceObject) -> bool:
    return not source.source_uri.endswith("!b")


def read_in_shards(
    inputs: Path, workspace: Path | None, size: int = 1, accepts: Filter = accept_all
) -> Facts:
    """Return what shards of about `size` bytes read, as if each were read by another process."""
    ranges = objects_under([inputs], accepts, size, workspace).shards
    facts: Facts = []
    with remembering(None if workspace is None else workspace / MEMORY, owner=False):
        for object_range in ranges:
            reads._members.cache_clear()
            with object_range.opened() as sources:
                facts += describe_objects(sources)
    reads._members.cache_clear()
    return facts


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    """Return web archives with a page captured twice, a fault and damage, beside other files."""
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


def describe_content(source: SourceObject) -> str:
    try:
        return source.read().hex()
    except RejectedInputError as error:
        return f"{error.reason}: {error.message}"


def describe_objects(objects: Iterable[SourceObject]) -> Facts:
    return [(source.source_uri, source.size, describe_content(source)) for source in objects]


def read_directly(inputs: Path, accepts: Filter = accept_all) -> Facts:
    """Return the accepted objects below a folder, read without shards, by URI."""
    facts = describe_objects(source for source in each_object([inputs]) if accepts(source))
    return sorted(facts, key=lambda fact: fact[0])


@pytest.mark.parametrize("accepts", [accept_all, reject_b])
@pytest.mark.parametrize("size", [1, 3, 2_000])
def test_shards_read_archive_members_after_one_scan(
    crawled: Path, tmp_path: Path, accepts: Filter, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = read_directly(crawled, accepts)
    assert len(expected) >= 9
    assert read_in_shards(crawled, None, size, accepts) == expected
    assert read_in_shards(crawled, tmp_path / "w", size, accepts) == expected
    with monkeypatch.context() as patch:
        patch.setattr(listing, "iter_archive", None)
        assert read_in_shards(crawled, tmp_path / "w", size, accepts) == expected
    for damage in (b"", b"of another kind"):
        for path in (tmp_path / "w" / MEMORY).glob("*.sqlite"):
            path.write_bytes(damage)
        assert read_in_shards(crawled, tmp_path / "w", size, accepts) == expected
    shutil.rmtree(tmp_path / "w" / MEMORY)
    assert read_in_shards(crawled, tmp_path / "w", size, accepts) == expected
    assert read_in_shards(crawled, tmp_path / "w", size) == read_directly(crawled)


def test_changed_archive_is_read_again(crawled: Path, tmp_path: Path) -> None:
    before = read_in_shards(crawled, tmp_path / "w")
    write_web_archive(crawled / "site" / "site-00002.warc.gz", {"b": b"5", "e": b"6"})
    assert read_in_shards(crawled, tmp_path / "w") == read_directly(crawled) != before


def test_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for workspace in (None, tmp_path / "w"):
        for folder in (tmp_path / "empty", tmp_path / "missing"):
            with pytest.raises(RunError):
                objects_under([folder], accept_all, 1, workspace)
