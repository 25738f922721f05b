"""Redact a release in several processes that share the redactor and cached search results.

Redactor and cache are files in a folder that all processes can read; only names and numbers are
passed between processes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.storage.memory import memory, remembering, shared_memory_file
from benchloom.storage.sealing import file_digest
from benchloom.storage.workspace import read_again, write_file

T = TypeVar("T")
R = TypeVar("R")


class Run(Protocol):
    """Applies a function to each element: `map`, or the `map` of a pool of processes."""

    def __call__(self, work: Callable[[T], R], things: Iterable[T], /) -> Iterable[R]:
        """Yield the function's result for each element, in order."""


class _Kit(msgspec.Struct, frozen=True):
    redactor: Path
    digest: str
    memory: Path | None


class Spread:
    """Runs work on a release in this process, or in the processes of `run`.

    All processes can access `folder`. It contains paths as they were before redaction, so its
    creator must remove it.
    """

    def __init__(self, run: Run = map, folder: Path | None = None) -> None:
        self.run = run
        self._folder = folder if run is not map else None

    def each(
        self, work: Callable[[CellRedactor, T], R], things: Sequence[T], redactor: CellRedactor
    ) -> Iterator[R]:
        """Yield the result of `work` per element; search results are cached in this process."""
        if self._folder is None or len(things) <= 1:
            for thing in things:
                yield work(redactor, thing)
            return
        kit = self._kit(self._folder, redactor)
        yield from self.run(partial(_with_kit, kit, work), things)
        if (remembered := memory()) is not None:
            remembered.flush()

    @staticmethod
    def _kit(folder: Path, redactor: CellRedactor) -> _Kit:
        path = folder / "redactor"
        write_file(path, redactor.packed())
        return _Kit(path, file_digest(path), shared_memory_file())


HERE = Spread()


def _with_kit(kit: _Kit, work: Callable[[CellRedactor, T], R], thing: T) -> R:
    redactor = _redactor(kit.redactor, kit.digest)
    with remembering(kit.memory, owner=False):
        return work(redactor, thing)


@lru_cache(maxsize=1)
def _redactor(path: Path, digest: str) -> CellRedactor:
    return CellRedactor.unpacked(read_again(path, digest))
