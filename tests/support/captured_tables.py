"""Read and join the tables of a captures folder in the test process."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import Capture, ICloudRecord, Listing
from flows.run.finished import FinishedStage, open_stage
from flows.run.runner import write_tables
from flows.stages.listings import captured as captured_listings_stage
from flows.stages.listings import read as read_stage
from flows.stages.listings.read import read_captures, stage_of_captures
from scrapers.crawl.captured import CapturedListings, captured_listings
from scrapers.crawl.link_states import LinkState, link_states
from scrapers.settings import CrawlSettings


def capture(**fields: object) -> Capture:
    """Return a capture of a page with the given fields."""
    sample = Capture(
        capture_id="capture:sha256:1",
        site="gardens",
        kind="response",
        url="https://gardens.example/list",
        fetched_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        body_digest="sha256:0",
        body_bytes=1,
        warc="a/a.warc.gz",
        offset=0,
        length=1,
    )
    return msgspec.structs.replace(sample, **fields)


def read_listings(captures: Path) -> CapturedListings:
    """Return the merged listings of all sites, and the pages that look changed."""
    with stage_of_captures(captures, None) as read:
        return captured_listings(read_captures(read))


def listings_of_site(captures: Path, site: str) -> list[Listing]:
    """Return the listings of a site."""
    return [row for row in read_listings(captures).merged.listings if row.site == site]


def read_link_states(captures: Path) -> list[LinkState]:
    """Return the state of every iCloud link."""
    with stage_of_captures(captures, None) as read:
        return list(link_states(read_captures(read)))


def read_icloud_records(captures: Path) -> list[ICloudRecord]:
    """Return the iCloud record of every link."""
    return [state.record for state in read_link_states(captures)]


def build_listings(
    captures: Path, out: Path, settings: CrawlSettings, read: Path | None = None
) -> FinishedStage:
    """Write the tables of a captures folder to `out`; `read` is a finished stage to use."""
    with stage_of_captures(captures, read) as folder:
        stage = partial(
            captured_listings_stage.prepare,
            captures,
            open_stage(folder, read_stage.STAGE),
            settings,
        )
        return write_tables(captured_listings_stage.STAGE, out, stage)


def current_listings(captures: Path, out: Path, settings: CrawlSettings) -> FinishedStage | None:
    """Return the tables in `out` if they were made from the current captures, else None."""
    reading = read_stage.prepare(captures).below(captures)
    stage = captured_listings_stage.prepare(captures, reading, settings)
    try:
        return replace(stage, folder=out).complete()
    except RunError:
        return None
