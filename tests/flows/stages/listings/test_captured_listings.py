"""From captures to tables: reproducible, joined, with withheld listings left out."""

from pathlib import Path

import msgspec

from benchloom.records import Capture, ICloudRecord, Listing, Rejected
from benchloom.tables.reading import iter_records
from flows.stages.listings.captured import build_listings
from tests.support.replica_crawls import WholeCrawl

TABLES = ("listings", "icloud_records", "captures", "rejected")


def test_the_same_captures_give_the_same_bytes(whole_crawl: WholeCrawl, tmp_path: Path) -> None:
    for name in ("a", "b"):
        build_listings(whole_crawl.captures, tmp_path / name, whole_crawl.settings)
    for table in TABLES:
        first, second = (tmp_path / name / f"{table}.parquet" for name in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()


def test_every_listing_and_shortcut_reaches_its_captures(
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


def test_opting_out_withholds_listing_and_shortcut(whole_crawl: WholeCrawl, tmp_path: Path) -> None:
    icloud_id = str(whole_crawl.world.posted("macstories")[0].icloud_id)
    settings = msgspec.structs.replace(whole_crawl.settings, opt_out=(icloud_id,))
    mark = build_listings(whole_crawl.captures, tmp_path / "out", settings)
    all_listed = build_listings(whole_crawl.captures, tmp_path / "all", whole_crawl.settings)
    assert mark.key != all_listed.key  # what is made from them is made anew
    rows = iter_records(tmp_path / "out", "listings", Listing)
    records = iter_records(tmp_path / "out", "icloud_records", ICloudRecord)
    assert icloud_id not in {row.icloud_id for row in rows}
    assert icloud_id not in {record.icloud_id for record in records}
    reasons = {row.reason for row in iter_records(tmp_path / "out", "rejected", Rejected)}
    assert {"opted_out", "withheld", "member_only", "nsfw", "not_found", "removed"} <= reasons
