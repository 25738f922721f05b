"""What a release may show of captures: newest pages parsed, merged, withheld, redacted."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from benchloom.normalise.category_names import with_one_spelling
from benchloom.normalise.listings import merge_listings
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.tables import redact_records
from benchloom.records import Capture, ICloudRecord, Listing, Rejected
from benchloom.tables import load_table
from benchloom.withholding.captures import hidden_captures, withheld_files
from benchloom.withholding.files import OPTED_OUT, Withheld, icloud_digest
from benchloom.withholding.tombstones import Allowed, withhold
from scrapers.captures import CaptureStore
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawling.captured import captured_listings
from scrapers.crawling.link_states import icloud_records
from scrapers.crawling.readings import Readings
from scrapers.crawling.shortcut_files import is_shortcut_file
from scrapers.settings import CrawlSettings
from scrapers.sites import SITES


class Shown(Struct, frozen=True):
    """Rows of four tables, and what stages that read files must leave out."""

    listings: tuple[Listing, ...]
    icloud_records: tuple[ICloudRecord, ...]
    captures: tuple[Capture, ...]
    rejected: tuple[Rejected, ...]
    withheld: Withheld

    @property
    def tables(self) -> dict[str, Sequence[Struct]]:
        """The rows by the name of their table."""
        return {
            "listings": self.listings,
            "icloud_records": self.icloud_records,
            "captures": self.captures,
            "rejected": self.rejected,
        }


def shown_listings(
    store: CaptureStore, captures: Path, settings: CrawlSettings, readings: Readings
) -> Shown:
    """Everything a captures folder says, without what was removed, hidden or opted out.

    Links that no listing of the release names (withheld, replaced by an error page, for members
    only) are left out of all tables with the reason `withheld`.
    """
    rows, rejected = _pages(store, readings)
    merged = merge_listings(rows, include_member_only=settings.include_member_only)
    del rows
    allowed = withhold(merged.kept, read_tombstones(captures), settings.opt_out)
    records = icloud_records(store, readings)
    allowed = allowed.only_listed(record.icloud_id for record in records)
    index = store.captures()
    withheld = withheld_files(index, records, allowed, is_shortcut_file).joined(settings.opt_out)
    hidden = hidden_captures(index, allowed, withheld, is_shortcut_file)
    rejected += [*merged.rejected, *allowed.rejected, *_record_rejections(records, allowed)]
    rejected += [
        Rejected("normalise", capture_id, reason, "withheld from the index of captures")
        for capture_id, reason in hidden.items()
    ]
    # Before anything is joined to them, and before any model sees a word of them.
    redactor = CellRedactor()
    kept = redact_records(allowed.kept, load_table("listings"), redactor)
    records = redact_records(records, load_table("icloud_records"), redactor)
    ordered = sorted(kept, key=lambda row: (row.site, row.source_uri, row.position))
    rejected.sort(key=lambda r: (r.stage, r.source_uri, r.reason, r.digest or "", r.message))
    return Shown(
        listings=tuple(with_one_spelling(ordered)),
        icloud_records=tuple(r for r in records if r.icloud_id not in allowed.icloud_ids),
        captures=tuple(c for c in index if c.capture_id not in hidden),
        rejected=tuple(rejected),
        withheld=withheld,
    )


def _pages(store: CaptureStore, readings: Readings) -> tuple[list[Listing], list[Rejected]]:
    """The rows of every page of every site, and the pages and archives that tell nothing."""
    rows: list[Listing] = []
    rejected: list[Rejected] = []
    for site in SITES.all().values():
        found, drift = captured_listings(store, site, readings)
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
    return rows, rejected


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
