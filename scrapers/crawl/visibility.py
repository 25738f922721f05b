"""This module selects the captured rows that a release may publish, and redacts them."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from benchloom.core.records import ICloudRecord, Listing, Rejected
from benchloom.core.structs import HeldOnce
from benchloom.normalise.opt_outs.captures import (
    Addressed,
    file_digest,
    hidden_captures,
    withheld_files,
)
from benchloom.normalise.opt_outs.files import OPTED_OUT, Withheld, icloud_digest
from benchloom.normalise.opt_outs.tombstones import Allowed, withhold
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.tables import redact_records
from benchloom.storage.tables import load_table
from benchloom.storage.web_archive.archive_records import Damage
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawl.captured import captured_listings
from scrapers.crawl.link_states import link_states
from scrapers.crawl.read_parts import ReadCaptures
from scrapers.settings import CrawlSettings

_IN_COMMON = ("state", "reason", "signing_status", "signing_certificate_expires", "asset")


class VisibleListings(msgspec.Struct, frozen=True):
    """The rows of three tables, and the files and captures that must not be published.

    `withheld` are the shortcut files that later stages must leave out. `hidden` maps the ids of
    captures that the published index must leave out to the reason.
    """

    listings: Sequence[Listing]
    icloud_records: Sequence[ICloudRecord]
    rejected: Sequence[Rejected]
    withheld: Withheld
    hidden: Mapping[str, str]


class _File(msgspec.Struct, frozen=True, gc=False):
    capture_id: str
    body_digest: str


class _Named(msgspec.Struct, frozen=True, gc=False):
    capture_id: str
    url: str
    location: str | None
    is_file: bool
    body_digest: str


def select_visible(read: ReadCaptures, captures: Path, settings: CrawlSettings) -> VisibleListings:
    """Return the rows of a captures folder, without entries that were removed or opted out.

    An iCloud link is left out of all tables, with the reason `withheld`, if no listing of the
    release contains the link. This happens if its listing is withheld, is only for members, or was
    replaced by an error page.
    """
    merged, drift = captured_listings(read, include_member_only=settings.include_member_only)
    rejected = [Rejected("parse", d.capture, d.reason, f"{d.url}: {d.message}") for d in drift]
    rejected += [damaged_archive(warc, damage) for warc, damage in read.damages()]
    allowed = withhold(merged.listings, read_tombstones(captures), settings.opt_out)
    rejected += [*merged.rejected, *allowed.rejected]
    del merged
    cache: HeldOnce[ICloudRecord] = HeldOnce(*_IN_COMMON)
    records = [cache(state.record) for state in link_states(read)]
    allowed = allowed.only_listed(record.icloud_id for record in records)
    withheld = withheld_files(_files(read), records, allowed).joined(settings.opt_out)
    hidden = hidden_captures(_addresses(read), allowed, withheld)
    rejected += _record_rejections(records, allowed)
    rejected += [
        Rejected("normalise", capture_id, reason, "left out of the index of captures (withheld)")
        for capture_id, reason in hidden.items()
    ]
    # Redacted before rows are joined and before any model reads them.
    redactor = CellRedactor()
    listings = redact_records(allowed.listings, load_table("listings"), redactor)
    records = [
        icloud_record
        for icloud_record in records
        if icloud_record.icloud_id not in allowed.icloud_ids
    ]
    records = redact_records(records, load_table("icloud_records"), redactor)
    listings.sort(key=lambda row: (row.site, row.source_uri, row.position))
    return VisibleListings(unify_spelling(listings), records, rejected, withheld, hidden)


def damaged_archive(warc: str, damage: Damage) -> Rejected:
    """Return a row of `rejected` about a damaged part of the archive `warc`."""
    damage_text = f"{damage.length} bytes from byte {damage.offset}: {damage.message}"
    return Rejected("parse", warc, "bad_web_archive", damage_text)


def _files(read: ReadCaptures) -> dict[str, str]:
    return {
        capture.capture_id: file_digest(capture.body_digest)
        for batch in read.batches((*_File.__struct_fields__, "is_file"))
        if batch.rows.column("is_file").true_count
        for capture in batch.chosen(batch.rows.column("is_file")).records(_File)
    }


def _addresses(read: ReadCaptures) -> Iterator[Addressed]:
    for batch in read.batches(_Named.__struct_fields__):
        for capture in batch.records(_Named):
            file = file_digest(capture.body_digest) if capture.is_file else None
            yield Addressed(capture.capture_id, capture.url, capture.location, file)


def _record_rejections(records: Iterable[ICloudRecord], allowed: Allowed) -> list[Rejected]:
    # Only a digest of the record's id is shown.
    return [
        Rejected(
            "normalise",
            record.record_capture or "icloud",
            OPTED_OUT if record.icloud_id in allowed.opted_ids else "withheld",
            "no release may contain this link",
            icloud_digest(record.icloud_id),
        )
        for record in records
        if record.icloud_id in allowed.icloud_ids
    ]


def unify_spelling(listings: Sequence[Listing]) -> tuple[Listing, ...]:
    """Return the listings with one spelling for each category, and without repeated categories.

    Names that differ only in letter case, width of letters or blanks are the same category.
    """
    best = _best_spellings(name for row in listings for name in _category_names(row))
    return tuple(_rename_categories(row, best) for row in listings)


def _category_names(row: Listing) -> tuple[str, ...]:
    return (*row.categories, *([row.category] if row.category is not None else []))


def _same(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _best_spellings(names: Iterable[str]) -> dict[str, str]:
    groups: dict[str, Counter[str]] = {}
    for name in names:
        groups.setdefault(_same(name), Counter())[" ".join(name.split())] += 1
    return {
        same: min(spellings, key=lambda n: _rank(n, spellings[n]))
        for same, spellings in groups.items()
    }


def _rank(name: str, count: int) -> tuple[int, int, str]:
    # Smaller is better: capital initials, but not all capitals.
    words = name.split()
    initials = sum(word[:1].isupper() and not (len(word) > 1 and word.isupper()) for word in words)
    return -initials, -count, name


def _rename_categories(row: Listing, best: dict[str, str]) -> Listing:
    names = tuple(dict.fromkeys(best[_same(name)] for name in row.categories))
    first = None if row.category is None else best[_same(row.category)]
    if names == row.categories and first == row.category:
        return row
    return msgspec.structs.replace(row, categories=names, category=first)
