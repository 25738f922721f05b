"""The flow `join`, which adds to shortcuts the definitions of the APIs that they call."""

from pathlib import Path

from benchloom.normalise.definitions.app_table import FILE_NAME
from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.run.finished import open_stage
from flows.stages.shortcuts import join as join_definitions


@flow(name="join", flow_run_name=run_name("join {shortcuts} and {catalogue}"))
async def join(shortcuts: Path, catalogue: Path, workspace: Path, workers: int = 1) -> Path:
    """Join the stages of shortcuts and of definitions; return the folder of the finished stage.

    Raises:
        RunError: one of the folders contains no finished stage.
    """
    stage = join_definitions.prepare(
        open_stage(shortcuts),
        open_stage(catalogue),
        workspace / FILE_NAME,
    )
    return (await run_stage_task(stage, workspace, workers)).path
