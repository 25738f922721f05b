"""Flow normalise: parsed tables to published rows."""

import flows.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow

from flows.stage_flow import run_stage_flow
from flows.stages import normalise_shortcuts

__all__ = ["flows", "normalise"]


@flow(name="normalise")
async def normalise(parsed: Path, workspace: Path, workers: int = 1) -> Path:
    """Normalise parsed shortcuts; the folder of the finished stage."""
    stage = normalise_shortcuts.prepare(parsed, workspace / "normalised")
    await run_stage_flow(stage, workers)
    return stage.folder
