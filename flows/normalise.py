"""Flow normalise: turn parsed tables into rows for publication."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

from prefect import flow

from flows.engine.run_names import RunName
from flows.engine.stage_task import run_stage_task
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts

__all__ = ["flows", "normalise"]


@flow(name="normalise", flow_run_name=RunName("normalise {parsed}"))
async def normalise(
    parsed: Path,
    workspace: Path,
    workers: int = 1,
    listings: Path | None = None,
    opt_out: Sequence[str] = (),
) -> Path:
    """Normalise parsed shortcuts; return the folder of the finished, publishable stage.

    `listings` is a finished stage with facts from captures about the files. `opt_out` may
    contain ids of shortcuts whose authors object to publication.
    """
    root = workspace / "normalised"
    distinct = normalise_shortcuts.prepare(parsed, root, listings, opt_out)
    await run_stage_task(distinct, workers)
    fingerprints = fingerprint_shortcuts.prepare(distinct.folder, root)
    await run_stage_task(fingerprints, workers)
    enriched = enrich_shortcuts.prepare(distinct.folder, fingerprints.folder, root)
    await run_stage_task(enriched, workers)
    return enriched.folder
