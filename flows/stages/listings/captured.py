"""This stage turns captures (stored responses of sites) into listings for a release.

It parses the newest page of each entry, merges the entries, and applies tombstones (records of
removed entries). A rebuild runs this stage, which writes the same bytes for the same captures.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.records import Rejected
from benchloom.normalise.opt_outs.files import write_withheld
from benchloom.storage.tables import load_table
from benchloom.storage.web_archive.archive_records import Damage
from benchloom.storage.workspace import CAPTURED_LISTINGS
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import Reads
from flows.run.stage import AnyStage, Stage
from flows.stages.listings.read import read_captures
from scrapers.captures.layout import archives_in
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawl.read_parts import Batch, ReadCaptures
from scrapers.crawl.visibility import damaged_archive, select_visible
from scrapers.settings import CrawlSettings

STAGE = CAPTURED_LISTINGS
TABLES = ("listings", "icloud_records", "captures", "rejected")


def prepare(
    captures: Path,
    reading: AnyStage | FinishedStage,
    settings: CrawlSettings,
) -> Stage[CrawlSettings, Path]:
    """Build the stage that makes listings from the captures that the stage `reading` reads.

    The stage `reading` may be unfinished when this stage is built. The file `withheld.json` names
    the targets of omitted links, for the stages that read the captured files.
    """
    return Stage(
        name=STAGE,
        subject="parsed/listings",
        reads=Reads([captures], 0, _decides(captures, settings), reading.sources),
        also=[reading.key],
        tables=TABLES,
        shared=lambda: settings,
        make=partial(write_listings, reading.path),
    )


def write_listings(read: Path, settings: CrawlSettings, captures: Path, output: Output) -> None:
    """Merge the captures of all sites, and write the tables of listings, records and captures."""
    parts = read_captures(read)
    visible_listings = select_visible(parts, captures, settings)
    rejected = [*visible_listings.rejected, *_refused_archives(captures)]
    output.add_all("listings", visible_listings.listings)
    output.add_all("icloud_records", visible_listings.icloud_records)
    for rows in _index_rows(parts, visible_listings.hidden):
        output.add_rows("captures", rows)
    output.reject_sorted(rejected)
    write_withheld(output.folder, visible_listings.withheld)
    # Each row of a page, changed page and withheld listing is counted once.
    output.objects = len(visible_listings.listings) + len(rejected)


def _decides(captures: Path, settings: CrawlSettings) -> list[str]:
    """Return everything that determines the tables, such as settings and removed entries."""
    stones = read_tombstones(captures).values()
    parts = [
        str(settings.include_member_only),
        *sorted(settings.opt_out),
        *(f"{row.source_uri} {row.message}" for row in _refused_archives(captures)),
    ]
    reasons = sorted(f"{stone.listing_id} {stone.reason}" for stone in stones)
    return [*parts, *reasons]


def _refused_archives(captures: Path) -> list[Rejected]:
    """Return rejected rows for files that are named like archives but must not be opened."""
    return [
        damaged_archive(archive.warc, Damage(0, 0, archive.problem))
        for archive in archives_in(captures)
        if archive.problem is not None
    ]


def _index_rows(parts: ReadCaptures, hidden: Mapping[str, str]) -> Iterator[pa.Table]:
    """Yield the rows of `captures`, without hidden captures, one row group at a time."""
    table = load_table("captures")
    pending: list[pa.RecordBatch] = []
    for batch in parts.batches([column.name for column in table.columns]):
        pending.append(_without(batch, hidden).rows)
        if sum(rows.num_rows for rows in pending) >= table.row_group_rows:
            rows = pa.Table.from_batches(pending)
            yield rows.slice(0, table.row_group_rows).combine_chunks()
            pending = rows.slice(table.row_group_rows).to_batches()
    if pending:
        yield pa.Table.from_batches(pending).combine_chunks()


def _without(batch: Batch, hidden: Mapping[str, str]) -> Batch:
    if not hidden:
        return batch
    ids = batch.rows.column("capture_id")
    return batch.chosen(pc.invert(pc.is_in(ids, pa.array(hidden, pa.string()))))
