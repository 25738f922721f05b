"""Flow join: add to shortcuts the definitions of the APIs they call."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow

from benchloom.normalise.definitions.app_marks import FILE_NAME
from benchloom.storage.workspace import StageMark, valid_mark
from flows.engine.run_names import RunName
from flows.engine.stage_task import run_stage_task
from flows.stages.shortcuts import join as join_definitions
from flows.stages.stage_choice import no_stage

__all__ = ["flows", "join"]


@flow(name="join", flow_run_name=RunName("join {shortcuts} and {catalogue}"))
async def join(shortcuts: Path, catalogue: Path, workspace: Path, workers: int = 1) -> Path:
    """Join finished shortcuts and definitions; return the folder of the finished stage.

    Raises:
        RunError: one of the folders contains no finished stage.
    """
    stage = join_definitions.prepare(
        (shortcuts, _mark(shortcuts)),
        (catalogue, _mark(catalogue)),
        workspace / FILE_NAME,
        workspace / "normalised",
    )
    await run_stage_task(stage, workers)
    return stage.folder


def _mark(folder: Path) -> StageMark:
    mark = valid_mark(folder)
    if mark is None:
        raise no_stage(folder)
    return mark
