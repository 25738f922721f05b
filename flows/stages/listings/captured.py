"""From captures to released listings: newest pages parsed, merged, tombstones applied.

This is the part of the pipeline that a rebuild runs: it reads captures and writes tables, and
gives the same bytes for the same captures.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.errors import RunError
from benchloom.memory.code import stage_key
from benchloom.records import Rejected
from benchloom.stages import complete_mark
from benchloom.tables import TableWriter, load_table, write_table
from benchloom.web_archive.scanning import Damage
from benchloom.withholding.files import write_withheld
from benchloom.workspace import StageMark, read_mark, sound_mark, stage_folder, write_mark
from flows.stages.listings.read import STAGE as READ
from flows.stages.listings.read import finished, prepare, read_captures
from scrapers.captures.layout import archives_in
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawling.read_parts import Batch, ReadCaptures
from scrapers.crawling.shown import damaged_archive, shown_listings
from scrapers.settings import CrawlSettings

STAGE = "captured-listings"


def known_listings(captures: Path, out: Path, settings: CrawlSettings) -> StageMark | None:
    """The mark of the stage in `out`, where it was made of what is in the captures now."""
    try:
        mark = read_mark(out)
        key = None if mark is None else _key(captures, settings, prepare(captures, captures).key)
        return sound_mark(out) if mark is not None and mark.key == key else None
    except RunError:  # what is damaged is made again
        return None


def build_listings(
    captures: Path, out: Path, settings: CrawlSettings, read: Path | None = None
) -> StageMark:
    """Write `listings`, `icloud_records`, `captures` and `rejected` of a captures folder.

    `read` is the finished stage that read the captures; without one they are read here. What the
    links that are left out lead to is named in `withheld.json`, for the stages that read the files.
    """
    with stage_folder(out, STAGE) as folder, finished(captures, read) as place:
        was_read = complete_mark(place, READ)
        key = _key(captures, settings, was_read.key)
        parts = read_captures(place)
        shown = shown_listings(parts, captures, settings)
        rejected = sorted([*shown.rejected, *_strangers(captures)], key=_rejected_order)
        rows = {
            "listings": _write(folder, "listings", shown.listings),
            "icloud_records": _write(folder, "icloud_records", shown.icloud_records),
            "captures": _write_index(parts, shown.hidden, folder / "captures.parquet"),
            "rejected": _write(folder, "rejected", rejected),
        }
        write_withheld(folder, shown.withheld)
        mark = StageMark(
            stage=STAGE,
            key=key,
            # Rows of pages, pages that look changed, and what is withheld besides: each has one
            # fate.
            objects=len(shown.listings) + len(rejected),
            rows=rows,
            sources=was_read.sources,
            reasons=dict(sorted(Counter(row.reason for row in rejected).items())),
        )
        write_mark(folder, mark)
    return mark


def _key(captures: Path, settings: CrawlSettings, read: str) -> str:
    """What decides the tables: what was read, what is no archive, tombstones, settings."""
    stones = read_tombstones(captures).values()
    parts = [
        str(settings.include_member_only),
        *sorted(settings.opt_out),
        read,
        *(f"{row.source_uri} {row.message}" for row in _strangers(captures)),
    ]
    reasons = sorted(f"{stone.listing_id} {stone.reason}" for stone in stones)
    return stage_key(STAGE, [*parts, *reasons])


def _strangers(captures: Path) -> list[Rejected]:
    """What is called like an archive and must not be opened."""
    return [
        damaged_archive(one.warc, Damage(0, 0, one.problem))
        for one in archives_in(captures)
        if one.problem is not None
    ]


def _rejected_order(row: Rejected) -> tuple[str, ...]:
    return row.stage, row.source_uri, row.reason, row.digest or "", row.message


def _write(folder: Path, table: str, rows: Iterable[msgspec.Struct]) -> int:
    return write_table(table, rows, folder / f"{table}.parquet")


def _write_index(parts: ReadCaptures, hidden: Mapping[str, str], path: Path) -> int:
    """Write the index of captures without those that are hidden."""
    table = load_table("captures")
    names = [column.name for column in table.columns]
    held: list[pa.RecordBatch] = []
    with TableWriter(table, path) as writer:
        for batch in parts.batches(names):
            held.append(_without(batch, hidden).rows)
            if sum(rows.num_rows for rows in held) >= table.row_group_rows:
                rows = pa.Table.from_batches(held)
                writer.add_table(rows.slice(0, table.row_group_rows).combine_chunks())
                held = rows.slice(table.row_group_rows).to_batches()
        if held:
            writer.add_table(pa.Table.from_batches(held).combine_chunks())
    return writer.rows


def _without(batch: Batch, hidden: Mapping[str, str]) -> Batch:
    if not hidden:
        return batch
    ids = batch.rows.column("capture_id")
    return batch.chosen(pc.invert(pc.is_in(ids, pa.array(hidden, pa.string()))))
