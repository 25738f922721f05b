"""Runs of things with a path: what is known of a run holds until a path comes or goes in it."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_RUN_PATHS = 16
"""About so many paths are searched, or known to hold nothing, at once."""


def path_runs(values: Iterable[T], path: Callable[[T], str]) -> Iterator[list[T]]:
    """Runs of what has a path, which end where a path itself says so."""
    run: list[T] = []
    for value in values:
        run.append(value)
        if not zlib.crc32(path(value).encode("utf-8", "surrogatepass")) % _RUN_PATHS:
            yield run
            run = []
    yield run
