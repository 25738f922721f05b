"""Stages run by a command: in this process or in others of this machine, without Prefect."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchloom.storage.memory import remembering
from benchloom.storage.stages import drop_parts, merging_parts
from benchloom.storage.workspace import StageMark, stage_folder, write_mark
from flows.run.processes.workers import Then, nothing, run_shards
from flows.run.progress import Progress
from flows.run.stage import Stage

S = TypeVar("S")
T = TypeVar("T")


def run_stage(
    stage: Stage[S, T],
    *,
    workers: int = 1,
    progress: Progress | None = None,
    then: Then = nothing,
) -> StageMark:
    """Make the missing shards and finish the stage.

    If `workers` is 1, everything is made in this process. `then` is called with the number of
    each finished shard, in order.
    """
    mark = stage.complete()
    if mark is not None:
        return mark
    with remembering(stage.memory):
        run_shards(
            stage.missing(),
            stage.making(),
            workers=workers,
            progress=progress,
            then=then,
            name=stage.shard_name,
        )
        return stage.finish()


def run_to_folder(
    name: str,
    out: Path,
    stage_in: Callable[[Path], Stage[S, T]],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> StageMark:
    """Run a stage into a folder that a command names, with one file for each table.

    The folder appears when everything is in it. `stage_in` returns the stage, called `name`,
    for the folder of its result.
    """
    with stage_folder(out, name) as folder:
        stage = stage_in(folder)
        with merging_parts(folder, stage.tables, stage.count, stage.ending) as then:
            mark = run_stage(stage, workers=workers, progress=progress, then=then)
        drop_parts(folder, stage.tables)
        return write_mark(folder, mark)
