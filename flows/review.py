"""The flow `review`, which turns reviewers' answers about texts into rows of the next release."""

from collections.abc import Sequence
from pathlib import Path

from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_stage
from flows.engine.run_log import run_name
from flows.run.finished import FinishedStage
from flows.stages.review import reviewed


@task(cache_policy=NO_CACHE, task_run_name="read answers")
def review_rows(answers: Path, stages: Sequence[Path], workspace: Path) -> FinishedStage | None:
    """Write rows from reviewers' answers about the texts of stages; return None without answers."""
    return reviewed(answers, stages, workspace)


@flow(name="review", flow_run_name=run_name("review {answers}"))
async def review(answers: Path, stages: Sequence[Path], workspace: Path) -> list[Path]:
    """Import the answers of `benchloom review` about the texts of some stages.

    Return a list with the folder of the new stage, or an empty list if there are no answers.

    Raises:
        RunError: an answer is damaged, or a folder of `stages` contains no finished stage.
    """
    finished = review_rows(answers, stages, workspace)
    if finished is None:
        return []
    await show_stage(finished)
    return [finished.path]
