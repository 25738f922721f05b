"""Flow judge: apply the current rules to texts that were generated earlier."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from benchloom.storage.workspace import StageMark
from flows.engine.artifacts import show_stage
from flows.engine.run_names import RunName
from flows.run.stage import stage_path
from flows.stages.generate.judge import judge_to_folder
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import hands

__all__ = ["flows", "judge"]


@task(cache_policy=NO_CACHE)
def judge_rows(plan: GeneratePlan, generated: Path, out: Path, workers: int) -> StageMark:
    """Write the verdicts on the texts of a finished stage."""
    with hands(workers) as pool:
        return judge_to_folder(plan, generated, out, pool)


@flow(name="judge", flow_run_name=RunName("judge {step} for {source}"))
async def judge(
    step: str, source: Path, generated: Path, workspace: Path, workers: int = 1
) -> Path:
    """Judge the texts in `generated`, made from `source` by `step`; return the stage's folder.

    Raises:
        RunError: the step is unknown, or a text is about a row that the source lacks.
    """
    plan = GeneratePlan(step=step, source=source)
    out = stage_path(workspace / "judged", step, plan.key())
    mark = judge_rows(plan, generated, out, workers)
    await show_stage(mark, out)
    return out
