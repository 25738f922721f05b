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
def shard_runner(workers: int) -> Iterator[Callable[[Work, int], ShardMark]]:
    """A function (work, number) that makes one shard and returns when it is made.

    With at most one worker the shard is made in the calling thread, else in one of `workers`
    processes; the function may be called from several threads at once.
    """
    if workers <= 1:
        yield lambda work, number: work(number)
        return
    with process_pool(workers) as pool:
        yield lambda work, number: pool.submit(work, number).result()


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
    with mapping(min(workers, len(numbers))) as run:
        _count(run(work, numbers), progress, then)


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
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this one."""
    with ProcessPoolExecutor(
        workers, mp_context=forked_context(), initializer=_start_worker
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


def _start_worker() -> None:
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
