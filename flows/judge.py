"""Flow judge: apply the current rules to texts that were generated earlier or that people wrote."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from flows.engine.artifacts import show_stage
from flows.engine.run_log import RunName
from flows.run.finished import FinishedStage
from flows.run.runner import run_whole_below
from flows.stages.generate import judge as generated_texts
from flows.stages.generate import supplied_texts
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import hands

__all__ = ["flows", "judge", "judge_requests"]


@task(cache_policy=NO_CACHE)
def judge_rows(plan: GeneratePlan, generated: Path, workspace: Path, workers: int) -> FinishedStage:
    """Write the verdicts on the texts of a finished stage, or reuse an earlier run's verdicts."""
    with hands(workers) as pool:
        stage = generated_texts.prepare(plan, generated, pool)
        return run_whole_below(workspace, f"judged/{plan.step}", stage)


@flow(name="judge", flow_run_name=RunName("judge {step} for {source}"))
async def judge(
    step: str, source: Path, generated: Path, workspace: Path, workers: int = 1
) -> Path:
    """Judge the texts in `generated`, which `step` made from `source`; return the stage's folder.

    Raises:
        RunError: the step is unknown, or a text is about a row that the source lacks.
    """
    plan = GeneratePlan(step=step, source=source)
    finished = judge_rows(plan, generated, workspace, workers)
    await show_stage(finished)
    return finished.path


@task(cache_policy=NO_CACHE)
def judge_lines(plan: GeneratePlan, texts: Path, workspace: Path, workers: int) -> FinishedStage:
    """Write rows and verdicts for the texts in a file, or reuse those of an earlier run."""
    with hands(workers) as pool:
        return run_whole_below(
            workspace, "judged/requests", supplied_texts.prepare(plan, texts, pool)
        )


@flow(name="judge-requests", flow_run_name=RunName("judge {texts} for {source}"))
async def judge_requests(source: Path, texts: Path, workspace: Path, workers: int = 1) -> Path:
    """Judge requests that people wrote about shortcuts; return the folder of the finished stage.

    Raises:
        RunError: the file is not a regular file, or has too many lines.
    """
    plan = GeneratePlan(step="query", source=source)
    finished = judge_lines(plan, texts, workspace, workers)
    await show_stage(finished)
    return finished.path
