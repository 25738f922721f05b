"""Check that captures become joined, reproducible tables without withheld listings."""

import gzip
from pathlib import Path

import msgspec

from benchloom.core.records import Capture, ICloudRecord, Listing, Rejected
from benchloom.storage.tables.reader import iter_records
from flows.stages.listings.read import stage_of_captures
from scrapers.settings import CrawlSettings
from tests.support.captured_tables import build_listings
from tests.support.replica_crawls import WholeCrawl


def test_listings_and_icloud_records_name_their_captures(
    whole_crawl: WholeCrawl, tmp_path: Path
) -> None:
    mark = build_listings(whole_crawl.captures, tmp_path / "out", whole_crawl.settings)
    captures = {c.capture_id: c for c in iter_records(tmp_path / "out", "captures", Capture)}
    records = {
        r.icloud_id: r for r in iter_records(tmp_path / "out", "icloud_records", ICloudRecord)
    }
    rows = list(iter_records(tmp_path / "out", "listings", Listing))
    assert len(rows) == mark.rows["listings"] >= 300
    assert len({row.icloud_id for row in rows if row.icloud_id}) >= 200
    shared = {row.icloud_id for row in rows if row.site == "reddit"} & {
        row.icloud_id for row in rows if row.site in {"shortcutsgallery", "macstories"}
    }
    assert len(shared) > 20
    for row in rows:
        assert row.capture in captures
        assert not row.member_only
        if row.icloud_id is not None:
            assert records[row.icloud_id].record_capture in captures
    available = [record for record in records.values() if record.state == "available"]
    assert len(available) >= 200
    assert all(record.asset_capture in captures for record in available)
    for capture in captures.values():
        assert (whole_crawl.captures / capture.warc).is_file()


def test_opt_out_withholds_listing_and_shortcut(whole_crawl: WholeCrawl, tmp_path: Path) -> None:
    icloud_id = str(whole_crawl.world.posted("macstories")[0].icloud_id)
    settings = msgspec.structs.replace(whole_crawl.settings, opt_out=(icloud_id,))
    with stage_of_captures(whole_crawl.captures, None) as read:
        mark = build_listings(whole_crawl.captures, tmp_path / "out", settings, read)
        all_listed = build_listings(
            whole_crawl.captures, tmp_path / "all", whole_crawl.settings, read
        )
    assert mark.key != all_listed.key  # later stages run again
    rows = iter_records(tmp_path / "out", "listings", Listing)
    records = iter_records(tmp_path / "out", "icloud_records", ICloudRecord)
    assert icloud_id not in {row.icloud_id for row in rows}
    assert icloud_id not in {record.icloud_id for record in records}
    reasons = {row.reason for row in iter_records(tmp_path / "out", "rejected", Rejected)}
    assert {"opted_out", "withheld", "member_only", "nsfw", "not_found", "removed"} <= reasons


def _make_record(
    url: bytes, status: bytes, headers: bytes = b"", site: bytes = b"routinehub"
) -> bytes:
    """Return a record as another program may write it."""
    content = b"HTTP/1.1 " + status + b"\r\n" + headers + b"\r\n<html>"
    fields = [
        b"WARC/1.1",
        b"WARC-Type: response",
        b"WARC-Target-URI: " + url,
        b"WARC-Date: some time",
        b"Benchloom-Site: " + site,
        b"Content-Type: application/http; msgtype=response",
        b"Content-Length: %d" % len(content),
    ]
    return gzip.compress(b"\r\n".join([*fields, b"", content, b"", b""]))


def test_malformed_records_of_other_programs_are_read(tmp_path: Path) -> None:
    records = {
        200: _make_record(
            b"https://routinehub.co/\xff", b"200 OK", b"Location: \xff\xed\xa0\x80\r\n"
        ),
        302: _make_record(
            b"https://x.example/", b"302 Found", b"Location: http://[bad\r\n", b"\xff"
        ),
        **{
            -number: _make_record(b"https://routinehub.co/%d" % number, status)
            for number, status in enumerate(
                (b"9" * 30, b"-5 X", b"2000 OK", b"099 X", b"1", b"", "²00 X".encode()), 1
            )
        },
    }
    archive = tmp_path / "captures" / "routinehub" / "routinehub-00001.warc.gz"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"".join(records.values()))
    mark = build_listings(tmp_path / "captures", tmp_path / "out", CrawlSettings())
    assert mark.rows["captures"] == len(records)
    capture_rows = iter_records(tmp_path / "out", "captures", Capture)
    assert [row.status for row in capture_rows] == [max(0, status) for status in records]
