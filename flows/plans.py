"""Flow plans: merge converted dialogues of all sources into one row per plan."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from collections.abc import Sequence
from pathlib import Path

from prefect import flow

from flows.engine.run_names import RunName
from flows.engine.stage_task import run_stage_task
from flows.stages.dialogues import normalise as normalise_plans

__all__ = ["flows", "plans"]


@flow(name="plans", flow_run_name=RunName("plans of {converted}"))
async def plans(converted: Sequence[Path], workspace: Path, opt_out: Sequence[str] = ()) -> Path:
    """Merge equal plans of finished conversions; return the folder of the finished stage.

    `opt_out` may contain ids of dialogues whose words must not be published.
    """
    stage = normalise_plans.prepare(converted, workspace / "normalised", opt_out)
    await run_stage_task(stage, 1)
    return stage.folder
