"""Flow listings: captures to listings, iCloud records and the index of captures."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
import time
from collections.abc import Sequence
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from benchloom.memory import MEMORY, remembering
from benchloom.under_way import say, under_way
from benchloom.workspace import StageMark
from flows.engine.artifacts import SHORTLY, show_stage, told
from flows.engine.run_log import tell
from flows.engine.run_names import RunName
from flows.engine.stage_task import run_stage_task
from flows.last_rebuild import stage_used
from flows.stages.listings import read
from flows.stages.listings.captured import build_listings, known_listings
from flows.telling.times import seconds_told
from scrapers.settings import CrawlSettings

__all__ = ["flows", "listings"]


@task(cache_policy=NO_CACHE, task_run_name="join captures")
def join_captures(captures: Path, out: Path, settings: CrawlSettings, read: Path) -> StageMark:
    """Join what the captures of every site say."""
    return build_listings(captures, out, settings, read)


@flow(name="listings", flow_run_name=RunName("listings of {captures}"))
async def listings(
    captures: Path,
    workspace: Path,
    opt_out: Sequence[str] = (),
    include_member_only: bool = False,
    workers: int = 1,
) -> Path:
    """Read a folder of captures; the folder of the finished stage.

    `opt_out` holds listing addresses and iCloud links whose owners do not want to be released.
    """
    out = workspace / "parsed" / "listings"
    settings = CrawlSettings(opt_out=tuple(opt_out), include_member_only=include_member_only)
    mark = known_listings(captures, out, settings)
    if mark is not None:
        stage_used(out)
        tell(f"{mark.stage}: is there already, in {out}")
        say(f"{mark.stage}: {told(mark.funnel()[-1], SHORTLY)}; unchanged")
        return out
    stage = read.prepare(captures, workspace / "parsed")
    await run_stage_task(stage, workers)
    start = time.monotonic()
    with under_way("captured-listings"), remembering(workspace / MEMORY):
        mark = join_captures(captures, out, settings, stage.folder)
    stage_used(out)
    took = seconds_told(time.monotonic() - start)
    say(f"{mark.stage}: {told(mark.funnel()[-1], SHORTLY)}; {took}")
    await show_stage(mark, out)
    return out
