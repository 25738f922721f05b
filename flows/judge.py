"""The flow `judge`, which applies the current rules to requests that people wrote."""

from pathlib import Path

from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_stage
from flows.engine.run_log import run_name
from flows.run.finished import FinishedStage
from flows.run.runner import run_whole_below
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.row_maker import batch_pool
from flows.stages.generate.supplied_texts import prepare


@task(cache_policy=NO_CACHE)
def judge_lines(plan: GeneratePlan, texts: Path, workspace: Path, workers: int) -> FinishedStage:
    """Write rows and verdicts for the texts in a file, or reuse the rows of an earlier run."""
    with batch_pool(workers) as pool:
        return run_whole_below(workspace, "judged/requests", prepare(plan, texts, pool))


@flow(name="judge", flow_run_name=run_name("judge {texts} for {source}"))
async def judge(source: Path, texts: Path, workspace: Path, workers: int = 1) -> Path:
    """Judge requests that people wrote about shortcuts; return the folder of the finished stage.

    `source` is the folder of the shortcuts, and `texts` the file of the requests.

    Raises:
        RunError: `texts` is not a regular file, or has too many lines.
    """
    finished = judge_lines(GeneratePlan(step="query", source=source), texts, workspace, workers)
    await show_stage(finished)
    return finished.path
