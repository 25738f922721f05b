"""Run stages without Prefect, in this process or in others of this machine."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from benchloom.core.progress import UnderWay, under_way
from benchloom.storage.memory import remembering
from benchloom.storage.memory.code import stage_key
from benchloom.storage.stages import drop_parts, merge_parts, merging_parts
from benchloom.storage.workspace import StageMark, stage_folder, write_mark
from flows.run.finished import FinishedStage, StageReference, digests_of, find_stage
from flows.run.last_rebuild import stage_used
from flows.run.output import Result
from flows.run.processes.workers import Then, nothing, run_shards
from flows.run.stage import Stage, stage_path

S = TypeVar("S")
T = TypeVar("T")


def run_stage(
    stage: Stage[S, T],
    *,
    workers: int = 1,
    progress: UnderWay | None = None,
    then: Then = nothing,
) -> FinishedStage:
    """Make the missing shards and finish the stage.

    If `workers` is 1, everything is made in this process. `then` is called with the number of
    each finished shard, in order.
    """
    finished = stage.complete()
    if finished is not None:
        return finished
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
    prepare: Callable[[], Stage[S, T]],
    *,
    workers: int = 1,
) -> FinishedStage:
    """Run a stage into a folder that a command names, with one file for each table.

    The folder appears when everything is in it. `prepare` returns the stage, whose name is `name`;
    it is called when `out` is known to be usable.
    """
    label = name.replace("-", " ")
    with stage_folder(out, name) as folder, under_way(label, unit="shards") as progress:
        stage = replace(prepare(), folder=folder)
        # The end of a stage may correct shards, so that none can be merged before it.
        merging = (
            merging_parts(folder, stage.tables, stage.count, stage.ending)
            if stage.end is None
            else nullcontext(nothing)
        )
        with merging as then:
            finished = run_stage(stage, workers=workers, progress=progress, then=then)
        if stage.end is not None:
            merge_parts(folder, [table for table in finished.rows if (folder / table).is_dir()])
        drop_parts(folder, [*stage.tables, *finished.rows])
        if stage.merge is not None:
            stage.merge(stage.shards())
        return FinishedStage(out, write_mark(folder, finished.mark))


@dataclass(frozen=True, kw_only=True)
class WholeStage:
    """A stage whose rows one process writes in one piece.

    Attributes:
        name: its name in `stage.json`.
        tables: the tables that are written even without rows.
        write: writes all rows, and sets what is not known before.
        decides: the stages, digests and options that decide the rows, besides our code; () if
            only `write` can know them.
    """

    name: str
    tables: Sequence[str]
    write: Callable[[Result], None]
    decides: Sequence[StageReference | str] = ()


def run_whole(stage: WholeStage, out: Path) -> FinishedStage:
    """Write the rows of a stage to `out`, which appears when everything is in it.

    `out` does not exist, is empty, or contains an earlier result of the stage.
    """
    with stage_folder(out, stage.name) as folder:
        with Result(folder, stage.tables, stage.decides) as result:
            stage.write(result)
        mark = StageMark(
            stage=stage.name,
            key=stage_key(stage.name, digests_of(result.decides)),
            objects=result.objects,
            rows=result.rows(),
            reasons=result.reasons(),
            sources=tuple(result.sources),
        )
        return FinishedStage(out, write_mark(folder, mark))


def run_whole_below(root: Path, subject: str, stage: WholeStage) -> FinishedStage:
    """Return the stage in a folder of `root`; its rows are written unless an earlier run did."""
    out, finished = workspace_stage(stage.name, root, subject, stage.decides)
    return finished or run_whole(stage, out)


def workspace_stage(
    name: str, root: Path, subject: str, decides: Sequence[StageReference | str]
) -> tuple[Path, FinishedStage | None]:
    """Return the folder of a stage without shards, and the stage if an earlier run finished it.

    `decides` is everything that decides the rows, besides our code; for the rest see `Stage`.
    """
    key = stage_key(name, digests_of(decides))
    out = stage_path(root, subject, key)
    stage_used(out)
    return out, find_stage(out, key)
