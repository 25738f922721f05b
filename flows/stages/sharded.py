"""A sharded stage ready to run: the same object is run plainly or by a Prefect flow."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from benchloom.balance import Balance
from benchloom.identity import hex_of
from benchloom.inputs import SourceFile, refuse_changes
from benchloom.memory import MEMORY, memory_for_others, remembering
from benchloom.stages import ShardMark, finish_stage, missing_shards, read_shard_mark
from benchloom.workspace import KEY_DIGITS, KEYED, FunnelStep, StageMark, read_mark, sound_mark
from flows.stages.processes.workers import Then, Work, nothing, run_shards
from flows.stages.progress import Progress
from flows.stages.reuse import remember_shards, reuse_shards


@dataclass(frozen=True)
class ShardedStage:
    """What has to be made, where, and from what.

    `work` makes one shard. A stage is complete when `stage.json` with the same key stands in its
    folder; shards with a mark are not made again. `keys` tells what decides each shard, so that one
    of another run can stand for it; it is asked for when something has to be made. `closing` makes
    one more shard behind the last, from what all of them left, when they are made. The files under
    `inputs` must still be the `sources` then, and the shards must agree with the `balance`.
    `covers` says in words what a shard is made from.
    """

    name: str
    key: str
    folder: Path
    count: int
    work: Work
    sources: Sequence[SourceFile] = ()
    earlier: Sequence[FunnelStep] = ()
    keys: Callable[[], Iterable[str]] | None = None
    closing: Work | None = None
    inputs: Sequence[Path] = ()
    balance: Balance | None = None
    covers: Callable[[int], str] | None = None

    def shard_name(self, number: int) -> str:
        """What a shard is called in lines for people, with its inputs where they are known."""
        name = f"{self.name} shard {number + 1} of {self.count}"
        return name if self.covers is None else f"{name} ({self.covers(number)})"

    def making(self) -> Work:
        """What makes a shard in any process: its work, with the memory of the workspace."""
        return partial(make_shard, self.work, memory_for_others())

    def complete(self) -> StageMark | None:
        """The mark of the finished stage, None while something is missing.

        Raises:
            RunError: the stage was finished, and is not what was written.
        """
        mark = read_mark(self.folder)
        return sound_mark(self.folder) if mark is not None and mark.key == self.key else None

    @cached_property
    def _shard_keys(self) -> list[str]:
        return [] if self.keys is None or memory_of(self.folder) is None else list(self.keys())

    def missing(self) -> list[int]:
        """The shards that still have to be made, after those that were made before are linked."""
        reuse_shards(self.folder, self._shard_keys)
        return missing_shards(self.folder, self.count)

    def finish(self) -> StageMark:
        """Declare the stage complete, all shards being made.

        Raises:
            RunError: a file of the inputs was changed or is gone.
            BalanceError: the shards do not account for all inputs.
        """
        remember_shards(self.folder, self._shard_keys)
        if self.inputs:
            refuse_changes(self.inputs, self.sources)
        count = self.count
        if self.closing is not None:
            if read_shard_mark(self.folder, count) is None:
                make_shard(self.closing, memory_of(self.folder), count)
            count += 1
        return finish_stage(
            self.folder,
            self.name,
            self.key,
            count,
            sources=self.sources,
            earlier=self.earlier,
            balance=self.balance,
        )


def make_shard(work: Work, memory: Path | None, number: int) -> ShardMark:
    """Make a shard; what was computed for it is remembered in the workspace."""
    with remembering(memory, owner=False):
        return work(number)


def covered_names(names: Sequence[str], ranges: Sequence[tuple[int, int]], number: int) -> str:
    """What one of the ranges of names covers, in words: the first and the last of them."""
    start, stop = ranges[number] if number < len(ranges) else (0, 0)
    covered = dict.fromkeys(names[place] for place in (start, stop - 1) if start < stop)
    return " to ".join(covered) or "no object"


def memory_of(folder: Path) -> Path | None:
    """The folder of the memory that a stage in a folder of a workspace uses, None elsewhere."""
    return folder.parent.parent / MEMORY if KEYED.search(folder.name) else None


def stage_path(root: Path, subject: str, key: str) -> Path:
    """The folder of a stage in a workspace: another key is another folder."""
    return root / f"{subject}-{hex_of(key)[:KEY_DIGITS]}"


def run_stage(
    stage: ShardedStage,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    then: Then = nothing,
) -> StageMark:
    """Make what is missing and finish the stage; `then` is told of shards as in `run_shards`."""
    mark = stage.complete()
    if mark is not None:
        return mark
    with remembering(memory_of(stage.folder)):
        run_shards(
            stage.missing(),
            stage.making(),
            workers=workers,
            progress=progress,
            then=then,
            name=stage.shard_name,
        )
        return stage.finish()
