"""From captures to released listings: newest pages parsed, merged, tombstones applied.

This is the part of the pipeline that a rebuild runs: it reads captures and writes tables, and
gives the same bytes for the same captures.
"""

from collections import Counter
from pathlib import Path

from benchloom.code_digests.stage_code import StageCode
from benchloom.errors import RunError
from benchloom.inputs import source_file
from benchloom.tables import write_table
from benchloom.withholding.files import write_withheld
from benchloom.workspace import StageMark, read_mark, sound_mark, stage_folder, write_mark
from flows.stages.listings.read import KeptReadings, prepare
from scrapers.captures import CaptureStore
from scrapers.captures.tombstones import read_tombstones
from scrapers.crawling.readings import FreshReadings
from scrapers.crawling.shown import shown_listings
from scrapers.settings import CrawlSettings

STAGE = "captured-listings"
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=("captures", "icloud_records", "listings", "rejected"),
    work=("build_listings",),
)


def known_listings(captures: Path, out: Path, settings: CrawlSettings) -> StageMark | None:
    """The mark of the stage in `out`, where it was made of what is in the captures now."""
    try:
        mark = read_mark(out)
        is_known = mark is not None and mark.key == _key(captures, settings)
        return sound_mark(out) if is_known else None
    except RunError:  # what is damaged is made again
        return None


def build_listings(
    captures: Path, out: Path, settings: CrawlSettings, read: Path | None = None
) -> StageMark:
    """Write `listings`, `icloud_records`, `captures` and `rejected` of a captures folder.

    `read` is the finished stage that read the captures; without one they are read here. What the
    links that are left out lead to is named in `withheld.json`, for the stages that read the files.
    """
    with stage_folder(out, STAGE) as folder:
        key = _key(captures, settings)
        store = CaptureStore(captures)
        try:
            readings = FreshReadings(store) if read is None else KeptReadings(read, store)
            shown = shown_listings(store, captures, settings, readings)
        finally:
            store.close()
        counts = {
            name: write_table(name, rows, folder / f"{name}.parquet")
            for name, rows in shown.tables.items()
        }
        write_withheld(folder, shown.withheld)
        archives = sorted({capture.warc for capture in store.captures()})
        mark = StageMark(
            stage=STAGE,
            key=key,
            # Rows of pages, pages that look changed, and what is withheld besides: each has one
            # fate.
            objects=len(shown.listings) + len(shown.rejected),
            rows=counts,
            sources=tuple(source_file(str(captures / name), name) for name in archives),
            reasons=dict(sorted(Counter(row.reason for row in shown.rejected).items())),
        )
        write_mark(folder, mark)
    return mark


def _key(captures: Path, settings: CrawlSettings) -> str:
    """What decides the tables: archives and their indexes, tombstones that count, settings."""
    stones = read_tombstones(captures).values()
    parts = [
        str(settings.include_member_only),
        *sorted(settings.opt_out),
        prepare(captures, captures).key,
    ]
    return CODE.key([*parts, *sorted(f"{stone.listing_id} {stone.reason}" for stone in stones)])
