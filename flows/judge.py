"""Flow judge: apply the current rules to texts that were generated earlier or that people wrote."""

import flows.engine.prefect_settings  # isort: skip  settings before Prefect
from pathlib import Path

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from benchloom.storage.workspace import StageMark, read_mark, valid_mark
from flows.engine.artifacts import show_stage
from flows.engine.run_names import RunName
from flows.run.last_rebuild import stage_used
from flows.run.stage import stage_path
from flows.stages.generate.judge import judge_to_folder
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import hands
from flows.stages.generate.supplied_texts import supplied_key, supplied_to_folder

__all__ = ["flows", "judge", "judge_requests"]


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


@task(cache_policy=NO_CACHE)
def judge_lines(plan: GeneratePlan, texts: Path, out: Path, workers: int) -> StageMark:
    """Write rows and verdicts for the texts in a file."""
    with hands(workers) as pool:
        return supplied_to_folder(plan, texts, out, pool)


@flow(name="judge-requests", flow_run_name=RunName("judge {texts} for {source}"))
async def judge_requests(source: Path, texts: Path, workspace: Path, workers: int = 1) -> Path:
    """Judge requests that people wrote about shortcuts; return the folder of the finished stage.

    Raises:
        RunError: the file has no end, or too many lines.
    """
    plan = GeneratePlan(step="query", source=source)
    key = supplied_key(plan, texts)
    out = stage_path(workspace / "judged", "requests", key)
    stage_used(out)
    mark = read_mark(out)
    if mark is None or mark.key != key or valid_mark(out) is None:
        mark = judge_lines(plan, texts, out, workers)
    await show_stage(mark, out)
    return out
