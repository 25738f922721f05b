"""Shards of a stage over processes; results arrive in the order of the shards."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchloom.stages import ShardMark
from flows.progress import Progress


def run_shards(
    numbers: Sequence[int],
    work: Callable[[int], ShardMark],
    *,
    workers: int,
    progress: Progress | None = None,
) -> None:
    """Run `work` for every shard number, in this process or in `workers` others.

    `work` must be picklable (a partial of a module-level function) and must write its own files
    and mark. The first fault ends the run; finished shards stay finished.
    """
    if progress is not None:
        progress.start(len(numbers))
    if workers == 1 or len(numbers) <= 1:
        for number in numbers:
            work(number)
            if progress is not None:
                progress.advance()
        return
    # forkserver: no threads of this process are copied, and modules are imported once.
    context = get_context("forkserver")
    with ProcessPoolExecutor(min(workers, len(numbers)), mp_context=context) as pool:
        for _ in pool.map(work, numbers):
            if progress is not None:
                progress.advance()
