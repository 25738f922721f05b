"""The flow `execute`, which runs shortcuts on the simulated device."""

from pathlib import Path

from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.run.finished import open_stage
from flows.stages.shortcuts import execute as execute_shortcuts


@flow(name="execute", flow_run_name=run_name("execute {shortcuts}"))
async def execute(shortcuts: Path, workspace: Path, workers: int = 1) -> Path:
    """Run the shortcuts of a finished stage on the device; return the folder of the new stage.

    Raises:
        RunError: the folder contains no finished stage.
    """
    stage = execute_shortcuts.prepare(open_stage(shortcuts))
    return (await run_stage_task(stage, workspace, workers)).path
