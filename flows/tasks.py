"""The flow `tasks`, which makes tasks in a suite's worlds and checks each of them by replay."""

from collections.abc import Sequence
from pathlib import Path

from benchloom.worlds.suites import SUITES
from flows.engine.api import NO_CACHE, flow, task
from flows.engine.artifacts import show_stage
from flows.engine.run_log import run_name
from flows.run.finished import FinishedStage
from flows.run.runner import run_whole_below
from flows.stages.tasks import TaskOptions, prepare


@task(cache_policy=NO_CACHE, task_run_name="prove tasks")
def task_rows(
    suite: str, inputs: Sequence[Path], workspace: Path, options: TaskOptions
) -> FinishedStage:
    """Make tasks and check that each can be solved, or reuse the tasks of an earlier run."""
    stage = prepare(suite, inputs, options)
    return run_whole_below(workspace, f"tasks/{SUITES.spelt(suite)}-{options.kind}", stage)


@flow(name="tasks", flow_run_name=run_name("tasks of {suite}, {kind}"))
async def tasks(
    suite: str,
    workspace: Path,
    workers: int = 1,
    *,
    inputs: Sequence[Path] = (),
    kind: str = "",
    count: int = 100,
    seed: int = 0,
    distractors: int = 20,
) -> Path:
    """Make tasks that are known to be solvable; return the folder of the stage.

    `kind` is the kind of tasks; if it is empty, the suite's first kind is made.

    Raises:
        RunError: the suite or the kind is unknown, the suite has no tasks of the kind, or an
            input is missing.
    """
    options = TaskOptions(
        count=count,
        kind=kind or SUITES.find(suite).kind,
        seed=seed,
        distractors=distractors,
        workers=workers,
    )
    finished = task_rows(suite, inputs, workspace, options)
    await show_stage(finished)
    return finished.path
