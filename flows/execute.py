"""Flow execute: run shortcuts on the simulated device."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow

from flows.engine.run_names import RunName
from flows.engine.stage_task import run_stage_task
from flows.stages.shortcuts import execute as execute_shortcuts
from flows.stages.stage_choice import stage_mark

__all__ = ["execute", "flows"]


@flow(name="execute", flow_run_name=RunName("execute {shortcuts}"))
async def execute(shortcuts: Path, workspace: Path, workers: int = 1) -> Path:
    """Run finished, publishable shortcuts; return the folder of the finished stage.

    Raises:
        RunError: the folder contains no finished stage.
    """
    root = workspace / "normalised"
    stage = execute_shortcuts.prepare(shortcuts, stage_mark(shortcuts), root)
    await run_stage_task(stage, workers)
    return stage.folder
