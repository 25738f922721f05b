"""This module fetches files in parallel threads."""

import os
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Self

from scrapers.errors import MirrorError
from scrapers.mirrors.store import Entry, Store

_SECONDS = 1.0
"""Maximum seconds for threads that are stopped to end and to remove their temporary files."""


class _StoppedError(Exception):
    """A thread must stop fetching a file, because the caller has ended or the file is too long."""


class Transfers:
    """Fetches files in threads to temporary files beside `root`, inside a `with` block.

    `received` is the number of bytes that have arrived. At the end of the block, the threads are
    stopped.
    """

    def __init__(self, store: Store, root: Path) -> None:
        self.received = 0
        self._store = store
        self._root = root
        self._queue: SimpleQueue[tuple[int, Entry] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Entry, Path, BaseException | None]] = SimpleQueue()
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stopped.set()
        for _ in range(self._store.at_once):
            self._queue.put(None)
        until = time.monotonic() + _SECONDS
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        while not self._done.empty():
            self._done.get()[1].unlink(missing_ok=True)

    def of(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Path]]:
        """Fetch files, and yield each with its temporary file when it has arrived.

        The caller must move or remove the temporary file.
        """
        for _ in range(self._store.at_once):
            thread = threading.Thread(target=self._work, daemon=True, name="mirror")
            self._threads.append(thread)
            thread.start()
        pending = 0
        for number, entry in enumerate(entries):
            self._queue.put((number, entry))
            pending += 1
            if pending >= 2 * self._store.at_once:
                yield self._next()
                pending -= 1
        for _ in range(pending):
            yield self._next()

    def _next(self) -> tuple[Entry, Path]:
        entry, part, error = self._done.get()
        if error is not None:
            raise error
        return entry, part

    def _work(self) -> None:
        while (transfer := self._queue.get()) is not None and not self._stopped.is_set():
            number, entry = transfer
            part = self._root.with_name(f".tmp-{os.getpid()}-{self._root.name}-{number}")
            fault: BaseException | None = None
            try:
                self._fetch(entry, part)
            except BaseException as error:  # noqa: BLE001  it is raised again in the thread that waits
                fault = error
            if fault is not None or self._stopped.is_set():
                part.unlink(missing_ok=True)
            self._done.put((entry, part, fault))

    def _fetch(self, entry: Entry, part: Path) -> None:
        before = 0

        def on_bytes(size: int) -> None:
            nonlocal before
            self.received, before = self.received + size - before, size  # in fsspec's one thread
            if self._stopped.is_set():
                raise _StoppedError
            if entry.size is not None and size > entry.size:
                raise _StoppedError

        try:
            self._store.fetch(entry, part, on_bytes)
        except MirrorError as error:
            # The file is longer than reported; the caller compares the sizes.
            if not isinstance(error.__cause__, _StoppedError) or self._stopped.is_set():
                raise
