"""Make the shards of a stage in this process or in worker processes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from benchloom.core.progress import UnderWay
from benchloom.storage.memory import with_memory
from benchloom.storage.stages import ShardMark
from flows.errors import MemoryRunError, is_memory_fault
from flows.run.processes.pool import WorkerPool, kill_workers, received_work

Work = Callable[[int], ShardMark]
"""A picklable function that makes the shard with a number, and returns its completion record."""
Then = Callable[[int], None]
"""A function that is called in this process with the number of each finished shard."""
Name = Callable[[int], str]
"""A function that returns the name of a shard in messages, given the shard's number."""


def nothing(number: int) -> None:
    """Do nothing, as the default callback for a finished shard."""


def default_name(number: int) -> str:
    """Return the default name of a shard, with the shard's number counted from one."""
    return f"shard {number + 1}"


@contextmanager
def shard_maker(
    work: Work, workers: int, name: Name = default_name
) -> Iterator[Callable[[int], ShardMark]]:
    """Yield a function that makes the shard with a number and returns when the shard is complete.

    With at most one worker the shard is made in the calling thread, else in one of `workers`
    processes; the function may be called from several threads in parallel.
    """
    if workers <= 1:
        yield partial(_make_here, work, name)
        return
    with process_pool(workers, work) as pool:
        yield lambda number: pool.ask(name(number), _make_shard, number).result()


def run_shards(
    numbers: Sequence[int],
    work: Work,
    *,
    workers: int,
    progress: UnderWay | None = None,
    then: Then = nothing,
    name: Name = default_name,
) -> None:
    """Make the shards with these numbers. The first error ends the run.

    Shards that were finished before an error stay finished. `then` is called with the number of
    each finished shard, in order, while later ones are made.
    """
    if progress is not None:
        progress.start(len(numbers))
    processes = min(workers, len(numbers))
    if processes <= 1:
        _count(map(partial(_make_here, work, name), numbers), progress, then)
        return
    with process_pool(processes, work) as pool:
        futures = [pool.ask(name(number), _make_shard, number) for number in numbers]
        _count((future.result() for future in futures), progress, then)


def _make_here(work: Work, name: Name, number: int) -> ShardMark:
    try:
        return work(number)
    except Exception as error:
        if is_memory_fault(error):
            raise MemoryRunError(name(number)) from error
        raise


def _count(marks: Iterator[ShardMark], progress: UnderWay | None, then: Then) -> None:
    for mark in marks:
        then(mark.number)
        if progress is not None:
            progress.advance()


@contextmanager
def mapping(workers: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """Yield a `map` that runs in this process or, with several workers, in worker processes.

    The results are in the order of the arguments. Worker processes use the caller's cache of
    results.
    """
    if workers <= 1:
        yield map
        return
    with process_pool(workers) as pool:
        yield lambda function, *elements: pool.map(with_memory(function), *elements)


@contextmanager
def process_pool(workers: int, work: Work | None = None) -> Iterator[WorkerPool]:
    """Yield a pool of worker processes, which end with the block or with this process.

    Each process receives `work` once.
    """
    pool = WorkerPool(workers, work)
    try:
        yield pool
    except BaseException as error:
        if not isinstance(error, Exception):
            kill_workers()
        raise
    finally:
        pool.end()


def _make_shard(number: int) -> ShardMark:
    """Make a shard in a worker process, with the function that the pool sent to the process."""
    work: Work = received_work()
    return work(number)
