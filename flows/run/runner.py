"""Run stages without Prefect, in this process or in other processes of this machine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from benchloom.core.progress import UnderWay, under_way
from benchloom.storage.code import stage_key
from benchloom.storage.memory import remembering
from benchloom.storage.memory.last_rebuild import stage_used
from benchloom.storage.stages import drop_parts, merge_parts, merging_parts
from benchloom.storage.workspace import KEYED, MEMORY, StageMark, stage_folder, write_mark
from flows.run.finished import FinishedStage, find_stage
from flows.run.output import Result
from flows.run.processes.workers import Then, nothing, run_shards
from flows.run.stage import Stage, stage_path

S = TypeVar("S")
T = TypeVar("T")


def run_stage(
    stage: Stage[S, T],
    workspace: Path | None = None,
    *,
    workers: int = 1,
    progress: UnderWay | None = None,
    then: Then = nothing,
) -> FinishedStage:
    """Make the missing shards of a stage, finish the stage, and return it.

    The result is in the folder of the stage or, without a folder, in the workspace. If `workers` is
    1, everything is made in this process. `then` is called with the number of each finished shard,
    in order.
    """
    if workspace is not None:
        stage = stage.below(workspace)
    finished = stage.complete()
    if finished is not None:
        return finished
    with stage.reused_results():
        run_shards(
            stage.missing(),
            stage.shard_work(),
            workers=workers,
            progress=progress,
            then=then,
            name=stage.shard_name,
        )
        return stage.finish()


def write_tables(
    name: str,
    out: Path,
    prepare: Callable[[], Stage[S, T]],
    *,
    workers: int = 1,
) -> FinishedStage:
    """Run a stage and write each of its tables as one file into the folder that a command names.

    The folder appears when all files are in it. `prepare` returns the stage, whose name is `name`;
    it is called after `out` has been checked.
    """
    label = name.replace("-", " ")
    with stage_folder(out, name) as folder, under_way(label, unit="shards") as progress:
        stage = replace(prepare(), folder=folder)
        # The end of a stage may correct shards, so they are merged only after it.
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
            stage.merge(stage.parts())
        return FinishedStage(out, write_mark(folder, finished.record))


@dataclass(frozen=True, kw_only=True)
class WholeStage:
    """A stage that is not divided into shards, because one function writes all its rows.

    Attributes:
        name: its name in `stage.json`.
        tables: the tables that are written even without rows.
        write: writes all rows, and sets the fields of `Result` that were not known before.
        decides: the digests, the options and the keys of stages that determine the rows, besides
            our code. It is empty if only `write` can find them.
    """

    name: str
    tables: Sequence[str]
    write: Callable[[Result], None]
    decides: Sequence[str] = ()

    @property
    def key(self) -> str:
        """The digest of everything that determines the rows and is known before the stage runs."""
        return stage_key(self.name, self.decides)

    def complete(self, out: Path) -> FinishedStage | None:
        """Return this stage's finished result in `out`, or None if `out` does not contain it.

        Raises:
            RunError: the stage was finished, but its files were changed afterwards.
        """
        return find_stage(out, self.key) if self.decides else None


def run_whole(stage: WholeStage, out: Path) -> FinishedStage:
    """Write the rows of a stage to `out`, which appears when all rows are written.

    `out` does not exist, is empty, or contains an earlier result of the stage, which is returned if
    inputs and code are the same.

    Raises:
        RunError: `out` contains something else, or the same result with changed files.
    """
    if (finished := stage.complete(out)) is not None:
        return finished
    with stage_folder(out, stage.name) as folder:
        with (
            remembering(_memory_beside(out)),
            Result(folder, stage.tables, stage.decides) as result,
        ):
            stage.write(result)
        mark = StageMark(
            stage=stage.name,
            key=stage_key(stage.name, result.decides),
            objects=result.objects,
            rows=result.rows(),
            reasons=result.reasons(),
            sources=tuple(result.sources),
        )
        return FinishedStage(out, write_mark(folder, mark))


def _memory_beside(out: Path) -> Path | None:
    """Return the cache folder of the workspace that contains `out`, or None without a workspace."""
    return out.parent.parent / MEMORY if KEYED.search(out.name) else None


def run_whole_below(workspace: Path, subject: str, stage: WholeStage) -> FinishedStage:
    """Run a stage in a folder of a workspace, or return its result if it is already there.

    The path of the folder begins with `subject`.
    """
    return run_whole(stage, whole_path(workspace, subject, stage))


def whole_path(workspace: Path, subject: str, stage: WholeStage) -> Path:
    """Return the folder of a stage in a workspace, and record that the running rebuild uses it.

    The path of the folder begins with `subject`.
    """
    path = stage_path(workspace, subject, stage.key)
    stage_used(path)
    return path


@contextmanager
def workspace_memory(workspace: Path, most_bytes: Callable[[], int]) -> Iterator[None]:
    """Let the block reuse cached results of the workspace; then limit the cache to `most_bytes`."""
    with remembering(workspace / MEMORY) as memory:
        yield
        if memory is not None:
            memory.shrink(most_bytes())
