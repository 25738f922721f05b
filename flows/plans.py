"""The flow `plans`, which merges the converted dialogues of all sources into one row per plan."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.storage.workspace import CONVERSION
from flows.engine.api import flow
from flows.engine.run_log import run_name
from flows.engine.stage_task import run_stage_task
from flows.run.finished import open_stage
from flows.stages.dialogues import normalise as normalise_plans


@flow(name="plans", flow_run_name=run_name("plans of {converted}"))
async def plans(converted: Sequence[Path], workspace: Path, opt_out: Sequence[str] = ()) -> Path:
    """Merge equal plans of several stages of `convert`; return the folder of the finished stage.

    `opt_out` may contain ids of dialogues whose texts must not be published.
    """
    conversions = [open_stage(path, CONVERSION) for path in converted]
    stage = normalise_plans.prepare(conversions, opt_out)
    return (await run_stage_task(stage, workspace, 1)).path
