"""From captures to released listings: newest pages parsed, merged, tombstones applied.

This is the part of the pipeline that a rebuild runs: it reads captures and writes tables, and
gives the same bytes for the same captures.
"""

from collections import Counter
from pathlib import Path

from benchloom.code_digests.stage_code import StageCode
from benchloom.inputs import source_file
from benchloom.tables import write_table
from benchloom.withholding.files import write_withheld
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.listings.read import KeptReadings
from scrapers.captures import CaptureStore
from scrapers.crawling.readings import FreshReadings, Readings
from scrapers.crawling.shown import shown_listings
from scrapers.settings import CrawlSettings

STAGE = "captured-listings"
CODE = StageCode(
    stage=STAGE,
    module=__name__,
    tables=("captures", "icloud_records", "listings", "rejected"),
    work=("build_listings",),
)


def build_listings(
    captures: Path, out: Path, settings: CrawlSettings, read: Path | None = None
) -> StageMark:
    """Write `listings`, `icloud_records`, `captures` and `rejected` of a captures folder.

    `read` is the finished stage that read the captures; without one they are read here. What the
    links that are left out lead to is named in `withheld.json`, for the stages that read the files.
    """
    with stage_folder(out, STAGE) as folder:
        store = CaptureStore(captures)
        try:
            readings = FreshReadings(store) if read is None else KeptReadings(read)
            mark = _write(store, readings, captures, folder, settings)
        finally:
            store.close()
        write_mark(folder, mark)
    return mark


def _write(
    store: CaptureStore, readings: Readings, captures: Path, folder: Path, settings: CrawlSettings
) -> StageMark:
    shown = shown_listings(store, captures, settings, readings)
    counts = {
        name: write_table(name, rows, folder / f"{name}.parquet")
        for name, rows in shown.tables.items()
    }
    write_withheld(folder, shown.withheld)
    damaged = [f"{warc} {damage.offset} {damage.length}" for warc, damage in store.damages]
    parts = [*damaged, str(settings.include_member_only), *sorted(settings.opt_out)]
    archives = sorted({capture.warc for capture in store.captures()})
    return StageMark(
        stage=STAGE,
        key=CODE.key([*parts, *shown.in_force, *shown.seen]),
        # Rows of pages, pages that look changed, and what is withheld besides: each has one fate.
        objects=len(shown.listings) + len(shown.rejected),
        rows=counts,
        sources=tuple(source_file(str(captures / name), name) for name in archives),
        reasons=dict(sorted(Counter(row.reason for row in shown.rejected).items())),
    )
