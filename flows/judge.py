"""Flow judge: apply the current rules to texts that were generated earlier or that people wrote."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from flows.engine.artifacts import show_stage
from flows.engine.run_names import RunName
from flows.run.finished import FinishedStage
from flows.run.runner import workspace_stage
from flows.stages.generate import judge as generated_texts
from flows.stages.generate import supplied_texts
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import hands

__all__ = ["flows", "judge", "judge_requests"]


@task(cache_policy=NO_CACHE)
def judge_rows(plan: GeneratePlan, generated: Path, out: Path, workers: int) -> FinishedStage:
    """Write the verdicts on the texts of a finished stage."""
    with hands(workers) as pool:
        return generated_texts.judge_to_folder(plan, generated, out, pool)


@flow(name="judge", flow_run_name=RunName("judge {step} for {source}"))
async def judge(
    step: str, source: Path, generated: Path, workspace: Path, workers: int = 1
) -> Path:
    """Judge the texts in `generated`, made from `source` by `step`; return the stage's folder.

    Raises:
        RunError: the step is unknown, or a text is about a row that the source lacks.
    """
    plan = GeneratePlan(step=step, source=source)
    decides = generated_texts.what_decides(plan, generated)
    out, finished = workspace_stage(generated_texts.STAGE, workspace / "judged", step, decides)
    finished = finished or judge_rows(plan, generated, out, workers)
    await show_stage(finished)
    return out


@task(cache_policy=NO_CACHE)
def judge_lines(plan: GeneratePlan, texts: Path, out: Path, workers: int) -> FinishedStage:
    """Write rows and verdicts for the texts in a file."""
    with hands(workers) as pool:
        return supplied_texts.supplied_to_folder(plan, texts, out, pool)


@flow(name="judge-requests", flow_run_name=RunName("judge {texts} for {source}"))
async def judge_requests(source: Path, texts: Path, workspace: Path, workers: int = 1) -> Path:
    """Judge requests that people wrote about shortcuts; return the folder of the finished stage.

    Raises:
        RunError: the file has no end, or too many lines.
    """
    plan = GeneratePlan(step="query", source=source)
    decides = supplied_texts.what_decides(plan, texts)
    out, finished = workspace_stage(supplied_texts.STAGE, workspace / "judged", "requests", decides)
    finished = finished or judge_lines(plan, texts, out, workers)
    await show_stage(finished)
    return out
