"""The flow `normalise`, which turns parsed shortcuts into rows that may be published."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.storage.workspace import CAPTURED_LISTINGS
from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.run.finished import open_stage
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts


@flow(name="normalise", flow_run_name=run_name("normalise {parsed}"))
async def normalise(
    parsed: Path,
    workspace: Path,
    workers: int = 1,
    listings: Path | None = None,
    opt_out: Sequence[str] = (),
) -> Path:
    """Normalise parsed shortcuts; return the folder of the finished stage.

    `listings` is the folder of a stage that tells from which listings the files come. `opt_out` may
    contain ids of shortcuts that must not be published.
    """
    rows = open_stage(parsed, parse_shortcuts.STAGE)
    captured = None if listings is None else open_stage(listings, CAPTURED_LISTINGS)
    stage = normalise_shortcuts.prepare(rows, captured, opt_out)
    distinct = await run_stage_task(stage, workspace, workers)
    compared = fingerprint_shortcuts.prepare(distinct)
    fingerprints = await run_stage_task(compared, workspace, workers)
    enriched = enrich_shortcuts.prepare(distinct, fingerprints)
    return (await run_stage_task(enriched, workspace, workers)).path
