"""The flow `listings`, which turns captures into listings, iCloud records and an index."""

from collections.abc import Sequence
from pathlib import Path

from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.stages.listings import captured, read
from scrapers.settings import CrawlSettings


@flow(name="listings", flow_run_name=run_name("listings of {captures}"))
async def listings(
    captures: Path,
    workspace: Path,
    opt_out: Sequence[str] = (),
    include_member_only: bool = False,
    workers: int = 1,
) -> Path:
    """Turn a folder of captures into tables; return the folder of the finished stage.

    `opt_out` contains addresses of listings and iCloud links that must not be published.
    """
    settings = CrawlSettings(opt_out=tuple(opt_out), include_member_only=include_member_only)
    reading = read.prepare(captures).below(workspace)
    joined = captured.prepare(captures, reading, settings).below(workspace)
    if joined.complete() is None:
        await run_stage_task(reading, workspace, workers)
    return (await run_stage_task(joined, workspace, workers)).path
