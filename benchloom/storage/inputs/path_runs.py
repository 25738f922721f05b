"""Divide values into runs by path, so that a result cached for one run stays valid.

The cached result for a run becomes invalid only if a path is added to or removed from this run;
changes of other paths do not matter.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_RUN_PATHS = 16
"""About so many paths are searched, or known to hold nothing, at once."""


def path_runs(values: Iterable[T], path: Callable[[T], str]) -> Iterator[list[T]]:
    """Yield runs of consecutive values; a hash of each path decides where runs end."""
    run: list[T] = []
    for value in values:
        run.append(value)
        if not zlib.crc32(path(value).encode("utf-8", "surrogatepass")) % _RUN_PATHS:
            yield run
            run = []
    yield run
