"""Check that archives of captures return what was written, and survive cuts and damage."""

import gzip
import random
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Capture, Header
from benchloom.storage.inputs import list_objects
from benchloom.storage.web_archive import StoredRecord, decode_body, iter_records
from scrapers.captures import CaptureStore, CaptureWriter, captures_in, recover
from scrapers.captures.layout import index_path
from scrapers.captures.writer import whole_bytes
from scrapers.icloud import scrub
from scrapers.pages.page import PageSource, RenderedPage

WHEN = "2026-02-03T04:05:06.000007Z"
HEADERS = (Header("Content-Type", "text/html"), Header("ETag", '"a"'))


def fill(folder: Path, file: str = "site-1.warc.gz", count: int = 6) -> list[Capture]:
    captures: list[Capture] = []
    with CaptureWriter(folder, "site", file) as writer:
        for number in range(count):
            body = f"page {number} ä".encode() * (number * 200 + 1)
            url = f"https://site.example/{number}?q=ü"
            captures.append(writer.response(url, (200, "OK"), HEADERS, body, WHEN).capture)
        captures.append(writer.revisit(captures[0], (304, "Not Modified"), (), WHEN).capture)
        captures.append(
            writer.fault("https://site.example/x", "timeout", "ReadTimeout", WHEN).capture
        )
        page = RenderedPage(b"<html>", (PageSource("https://site.example/r", '"e"'),))
        captures.append(writer.rendered("https://site.example/r", page, WHEN).capture)
    return captures


def test_captures_are_read_back_as_written(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    store = CaptureStore(tmp_path)
    assert list(captures_in(tmp_path)) == captures
    assert [c.kind for c in captures] == ["response"] * 6 + ["revisit", "fault", "rendered"]
    for number, capture in enumerate(captures[:6]):
        assert store.latest(capture.url) == capture
        assert store.body(capture) == f"page {number} ä".encode() * (number * 200 + 1)
        assert capture.header("etag") == '"a"'
        assert capture.fetched_at == WHEN
    assert captures[6].refers_to == captures[0].capture_id
    assert captures[7].fault == "timeout"
    assert store.latest("https://site.example/r", rendered=True) == captures[8]
    assert store.latest("https://site.example/r") is None
    store.close()


def test_index_equals_a_scan_of_the_archive(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    archive = tmp_path / "site" / "site-1.warc.gz"
    records = [
        r for r in iter_records(archive, "site/site-1.warc.gz") if isinstance(r, StoredRecord)
    ]
    assert [record.capture for record in records] == captures
    index_path(archive).unlink()
    store = CaptureStore(tmp_path)
    assert list(captures_in(tmp_path)) == captures
    store.close()


def test_warcio_reads_the_archive(tmp_path: Path) -> None:
    fill(tmp_path)
    with (tmp_path / "site" / "site-1.warc.gz").open("rb") as file:
        kinds = []
        for record in ArchiveIterator(file, check_digests=True):
            record.content_stream().read()
            assert record.rec_headers.protocol == "WARC/1.1"
            assert record.digest_checker.passed in {None, True}
            kinds.append(record.rec_type)
    assert kinds == ["warcinfo", *["response"] * 6, "revisit", "metadata", "resource"]


def test_truncated_archive_is_recovered_to_the_last_complete_record(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    archive = tmp_path / "site" / "site-1.warc.gz"
    complete_data = archive.read_bytes()
    index_path(archive).unlink()
    ends = [capture.offset + capture.length for capture in captures]
    source = random.Random(5)
    cuts = {
        len(complete_data) - 1,
        ends[3] + 1,
        ends[3],
        40,
        *(source.randrange(1, len(complete_data)) for _ in range(40)),
    }
    for cut in sorted(cuts):
        archive.write_bytes(complete_data[:cut])
        whole_captures = [
            capture for capture, end in zip(captures, ends, strict=True) if end <= cut
        ]
        store = CaptureStore(tmp_path)
        assert list(captures_in(tmp_path)) == whole_captures
        store.close()
        expected = max([end for end in (captures[0].offset, *ends) if end <= cut], default=0)
        assert whole_bytes(archive) == expected
        assert recover(archive) == cut - expected
        assert archive.read_bytes() == complete_data[:expected]
    archive.write_bytes(complete_data + b"\x1f\x8b garbage that is no gzip")
    assert recover(archive) > 0
    assert archive.read_bytes() == complete_data


def test_continued_crawl_appends_after_the_last_complete_record(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    archive = tmp_path / "site" / "site-1.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-3])
    with CaptureWriter(tmp_path, "site", archive.name) as writer:
        assert writer.recovered_bytes > 0
        assert writer.earlier == captures[:-1]
        added = writer.response("https://site.example/new", (404, "No"), (), b"", WHEN).capture
    store = CaptureStore(tmp_path)
    assert list(captures_in(tmp_path)) == [*captures[:-1], added]
    assert store.body(added) == b""
    store.close()


def test_changed_byte_is_detected(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    archive = tmp_path / "site" / "site-1.warc.gz"
    data = bytearray(archive.read_bytes())
    data[captures[5].offset + captures[5].length // 2] ^= 0xFF
    archive.write_bytes(bytes(data))
    store = CaptureStore(tmp_path)
    assert store.body(captures[4])
    with pytest.raises(RunError, match=r"site-1\.warc\.gz at byte"):
        store.body(captures[5])
    store.close()


def test_index_entry_with_a_wrong_offset_is_detected(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    store = CaptureStore(tmp_path)
    wrong = msgspec.structs.replace(captures[1], offset=captures[2].offset)
    with pytest.raises(RunError, match="differs from the captured one"):
        store.body(wrong)
    with pytest.raises(RunError, match="nowhere"):
        store.body(msgspec.structs.replace(captures[1], warc="site/nowhere.warc.gz"))
    store.close()


def test_site_has_one_writer(tmp_path: Path) -> None:
    with CaptureWriter(tmp_path, "site", "a.warc.gz"):
        with pytest.raises(RunError, match="another crawl of 'site'"):
            CaptureWriter(tmp_path, "site", "b.warc.gz")
        CaptureWriter(tmp_path, "other", "b.warc.gz").close()


def test_equal_answers_have_equal_ids(tmp_path: Path) -> None:
    first = fill(tmp_path / "a", "x.warc.gz")
    second = fill(tmp_path / "b", "y.warc.gz")
    assert [c.capture_id for c in first] == [c.capture_id for c in second]
    assert len({c.capture_id for c in first if c.kind == "response"}) == 6


def test_archive_members_are_listed_as_inputs(tmp_path: Path) -> None:
    captures = fill(tmp_path)
    archive = tmp_path / "site" / "site-1.warc.gz"
    with ExitStack() as stack:
        objects_by_uri = {o.source_uri: o for o in list_objects([archive], stack)}
        assert len(objects_by_uri) == 8
        first = objects_by_uri[f"site-1.warc.gz!{captures[0].url}"]
        assert tagged_digest("body", first.read()) == captures[0].body_digest
        assert first.capture is not None
        assert first.capture.capture_id == captures[0].capture_id
        with pytest.raises(RejectedInputError) as caught:
            objects_by_uri["site-1.warc.gz!https://site.example/x"].read()
        assert caught.value.reason == "timeout"
    archive.write_bytes(archive.read_bytes()[:-20])
    with ExitStack() as stack:
        broken = [o for o in list_objects([archive], stack) if o.capture is None]
        with pytest.raises(RejectedInputError) as caught:
            broken[0].read()
        assert caught.value.reason == "bad_web_archive"


@pytest.mark.parametrize(
    "data",
    [b"\x1f\x8b\x08\x00junk", b"WARC/1.1\r\njunk", b"WARC/1.0\r\nContent-Length: -5\r\n\r\n"],
)
def test_damaged_archives_are_rejected_inputs(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.warc.gz"
    path.write_bytes(data)
    with ExitStack() as stack:
        for source in list_objects([path], stack):
            with pytest.raises(RejectedInputError):
                source.read()


def test_bodies_are_decoded_within_the_size_limit() -> None:
    packed = gzip.compress(b"x" * 1000)
    assert decode_body(packed, "gzip", 1000) == b"x" * 1000
    assert decode_body(b"plain", None) == b"plain"
    for raw, coding, limit, reason in (
        (packed, "gzip", 999, "too_large"),
        (packed[:-5], "gzip", 2000, "truncated"),
        (b"nonsense", "gzip", 100, "bad_encoding"),
        (b"x", "br", 100, "bad_encoding"),
        (b"xx", None, 1, "too_large"),
    ):
        with pytest.raises(RejectedInputError) as caught:
            decode_body(raw, coding, limit)
        assert caught.value.reason == reason


def test_scrub_removes_personal_ids_only() -> None:
    body = b'{"a":[{"userRecordName":"_p1","x":1}],"deviceID":"d","n":"deviceID"}'
    scrubbed = b'{"a":[{"userRecordName":"scrubbed","x":1}],"deviceID":"scrubbed","n":"deviceID"}'
    assert scrub(body) == scrubbed
    assert scrub(b'{"name": "x"}') == b'{"name": "x"}'
    cut = scrub(b'{"created": {"userRecordName": "_p1", "deviceID": "d')
    assert b"_p1" not in cut
    assert b'"d"' not in cut
    assert scrub(b"<html>the deviceID of it</html>") == b"<html>the deviceID of it</html>"
