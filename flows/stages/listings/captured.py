"""From captures to released listings: newest pages parsed, merged, tombstones applied.

This is the part of the pipeline that a rebuild runs: it reads captures and writes tables, and
gives the same bytes for the same captures.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from benchloom.code_digests.stage_code import StageCode
from benchloom.inputs import source_file
from benchloom.normalise.category_names import with_one_spelling
from benchloom.normalise.listings import merge_listings
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.tables import redact_record
from benchloom.records import ICloudRecord, Listing, Rejected
from benchloom.tables import load_table, write_table
from benchloom.withholding.captures import hidden_captures, withheld_files
from benchloom.withholding.files import OPTED_OUT, icloud_digest, write_withheld
from benchloom.withholding.tombstones import Allowed, withhold
from benchloom.workspace import StageMark, stage_folder, write_mark
from scrapers.captures import CaptureStore
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawling.captured import captured_listings
from scrapers.crawling.shortcut_files import is_shortcut_file
from scrapers.icloud.state import icloud_records
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES

STAGE = "captured-listings"
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=("captures", "icloud_records", "listings", "rejected"),
    work=("build_listings",),
)


def build_listings(captures: Path, out: Path, settings: CrawlSettings) -> StageMark:
    """Write `listings`, `icloud_records`, `captures` and `rejected` of a captures folder.

    Links that no listing of the release names (withheld, replaced by an error page, for members
    only) are left out of all of them with the reason `withheld`, and what they lead to is named in
    `withheld.json` for the stages that read the files.
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
    redactor = CellRedactor()
    rows: list[Listing] = []
    rejected: list[Rejected] = []
    for site in SITES.all().values():
        found, drift = captured_listings(store, site)
        rows += found
        rejected += [Rejected("parse", d.capture, d.reason, f"{d.url}: {d.message}") for d in drift]
    rejected += [
        Rejected(
            "parse",
            warc,
            "bad_web_archive",
            f"{d.length} bytes from byte {d.offset} on: {d.message}",
        )
        for warc, d in store.damages
    ]
    merged = merge_listings(rows, include_member_only=settings.include_member_only)
    stones = read_tombstones(captures)
    allowed = withhold(merged.kept, stones, settings.opt_out)
    records = icloud_records(store)
    allowed = allowed.only_listed(record.icloud_id for record in records)
    index = store.captures()
    withheld = withheld_files(index, records, allowed, is_shortcut_file).joined(settings.opt_out)
    hidden = hidden_captures(index, allowed, withheld, is_shortcut_file)
    rejected += [*merged.rejected, *allowed.rejected]
    rejected += _record_rejections(records, allowed)
    rejected += [
        Rejected("normalise", capture_id, reason, "withheld from the index of captures")
        for capture_id, reason in hidden.items()
    ]
    # Before anything is joined to them, and before any model sees a word of them.
    kept = [redact_record(row, load_table("listings"), redactor) for row in allowed.kept]
    records = [redact_record(row, load_table("icloud_records"), redactor) for row in records]
    ordered = sorted(kept, key=lambda row: (row.site, row.source_uri, row.position))
    listings = with_one_spelling(ordered)
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    tables: dict[str, Sequence[Struct]] = {
        "listings": listings,
        "icloud_records": [r for r in records if r.icloud_id not in allowed.icloud_ids],
        "captures": [c for c in index if c.capture_id not in hidden],
        "rejected": rejected,
    }
    counts = {
        name: write_table(name, table, folder / f"{name}.parquet") for name, table in tables.items()
    }
    write_withheld(folder, withheld)
    in_force = sorted(f"{stone.listing_id} {stone.reason}" for stone in stones.values())
    damaged = [f"{warc} {damage.offset} {damage.length}" for warc, damage in store.damages]
    parts = [*damaged, str(settings.include_member_only), *sorted(settings.opt_out)]
    key = CODE.key([*parts, *in_force, *(c.capture_id for c in index)])
    return StageMark(
        stage=STAGE,
        key=key,
        # Rows of pages, pages that look changed, and what is withheld besides: each has one fate.
        objects=len(listings) + len(rejected),
        rows=counts,
        sources=tuple(source_file(captures / n, n) for n in sorted({c.warc for c in index})),
        reasons=dict(sorted(Counter(row.reason for row in rejected).items())),
    )


def _record_rejections(records: Iterable[ICloudRecord], allowed: Allowed) -> list[Rejected]:
    """A reason for every record that is withheld; its id stands there as a digest only."""
    return [
        Rejected(
            "normalise",
            record.record_capture or "icloud",
            OPTED_OUT if record.icloud_id in allowed.opted_ids else "withheld",
            "no release may name this link",
            icloud_digest(record.icloud_id),
        )
        for record in records
        if record.icloud_id in allowed.icloud_ids
    ]
