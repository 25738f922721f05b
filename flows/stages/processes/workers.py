"""Shards of a stage in this process or in others."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.connection import wait
from typing import Any

from benchloom.garbage import collect_seldom
from benchloom.stages import ShardMark
from flows.stages.processes.server import forked_context
from flows.stages.progress import Progress

Work = Callable[[int], ShardMark]
"""Makes one shard: writes its files and its mark. Picklable: a partial of a plain function."""
Then = Callable[[int], None]
"""What is done in this process when the shard of a number is made."""


def nothing(number: int) -> None:
    """Wait for all of them."""


@contextmanager
def shard_maker(work: Work, workers: int) -> Iterator[Callable[[int], ShardMark]]:
    """A function of a number that makes one shard and returns when it is made.

    With at most one worker the shard is made in the calling thread, else in one of `workers`
    processes; the function may be called from several threads at once.
    """
    if workers <= 1:
        yield work
        return
    with process_pool(workers, work) as pool:
        yield lambda number: pool.submit(_made, number).result()


def run_shards(
    numbers: Sequence[int],
    work: Work,
    *,
    workers: int,
    progress: Progress | None = None,
    then: Then = nothing,
) -> None:
    """Make every shard. The first fault ends the run; finished shards stay finished.

    `then` is told of each that is made, in their order, while others are made behind it.
    """
    if progress is not None:
        progress.start(len(numbers))
    processes = min(workers, len(numbers))
    if processes <= 1:
        _count(map(work, numbers), progress, then)
        return
    with process_pool(processes, work) as pool:
        _count(pool.map(_made, numbers), progress, then)


def _count(made: Iterator[ShardMark], progress: Progress | None, then: Then) -> None:
    for mark in made:
        then(mark.number)
        if progress is not None:
            progress.advance()


@contextmanager
def mapping(workers: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """`map` in this process, or with several workers in theirs; results come in order."""
    if workers <= 1:
        yield map
        return
    with process_pool(workers) as pool:
        yield pool.map


@contextmanager
def process_pool(workers: int, work: Work | None = None) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this one; each gets the `work` once, for `_made`."""
    with ProcessPoolExecutor(
        workers, mp_context=forked_context(), initializer=_start_worker, initargs=(work,)
    ) as pool:
        try:
            yield pool
        except BaseException as error:
            if not isinstance(error, Exception):
                kill_workers()
            raise


def kill_workers() -> None:
    """End every worker at once: the run was interrupted, and would wait for what they make."""
    for worker in active_children():
        worker.kill()


_works: list[Work | None] = []
"""What this process makes shards with: it may hold as much as there are shards, and goes to a
process once, not with each number."""


def _made(number: int) -> ShardMark:
    work = _works[-1]
    if work is None:
        raise TypeError("this process was started for no shards")
    return work(number)


def _start_worker(work: Work | None) -> None:
    _works.append(work)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from the keyboard it is for the run, not for us
    collect_seldom()
    _end_with_parent()


def _end_with_parent() -> None:
    """End this worker when the process that started the run is gone, however it went."""
    parent = parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
