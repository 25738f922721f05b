"""From captures to released listings: newest pages parsed, merged, tombstones applied.

This is the part of the pipeline that a rebuild runs: it reads captures and writes tables, and
gives the same bytes for the same captures.
"""

from collections import Counter
from pathlib import Path

from benchloom.identity import digest_of_parts
from benchloom.normalise.listings import merge_listings
from benchloom.records import Listing, Rejected
from benchloom.tables import write_table
from benchloom.workspace import StageMark, stage_folder, write_mark
from scrapers.captured import captured_listings
from scrapers.captures import CaptureStore
from scrapers.icloud_state import icloud_records
from scrapers.settings import CrawlSettings
from scrapers.sites import all_sites
from scrapers.tombstones import read_tombstones, withhold

STAGE = "captured-listings"
CODE_VERSION = "2"


def build_listings(captures: Path, out: Path, settings: CrawlSettings) -> StageMark:
    """Write `listings`, `icloud_records`, `captures` and `rejected` of a captures folder.

    iCloud records whose every listing is withheld are left out with the reason `withheld`.
    """
    with stage_folder(out, STAGE) as folder:
        store = CaptureStore(captures)
        try:
            mark = _build(store, captures, folder, settings)
        finally:
            store.close()
        write_mark(folder, mark)
    return mark


def _build(store: CaptureStore, captures: Path, folder: Path, settings: CrawlSettings) -> StageMark:
    rows: list[Listing] = []
    rejected: list[Rejected] = []
    for site in all_sites().values():
        found, drift = captured_listings(store, site)
        rows += found
        rejected += [Rejected("parse", d.capture, "drift", f"{d.url}: {d.message}") for d in drift]
    merged = merge_listings(rows, include_member_only=settings.include_member_only)
    allowed = withhold(merged.kept, read_tombstones(captures), settings.opt_out)
    records = icloud_records(store)
    kept_records = [record for record in records if record.icloud_id not in allowed.icloud_ids]
    rejected += [*merged.rejected, *allowed.rejected]
    rejected += [
        Rejected("normalise", record.record_capture or record.icloud_id, "withheld", "withheld")
        for record in records
        if record.icloud_id in allowed.icloud_ids
    ]
    listings = sorted(allowed.kept, key=lambda row: (row.site, row.source_uri, row.position))
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    index = store.captures()
    counts = {
        "listings": write_table("listings", listings, folder / "listings.parquet"),
        "icloud_records": write_table(
            "icloud_records", kept_records, folder / "icloud_records.parquet"
        ),
        "captures": write_table("captures", index, folder / "captures.parquet"),
        "rejected": write_table("rejected", rejected, folder / "rejected.parquet"),
    }
    chosen = (str(settings.include_member_only), *sorted(settings.opt_out))
    key = digest_of_parts("stage", [CODE_VERSION, *chosen, *(c.capture_id for c in index)])
    return StageMark(
        stage=STAGE,
        key=key,
        objects=len(index),
        rows=counts,
        reasons=dict(sorted(Counter(row.reason for row in rejected).items())),
    )
