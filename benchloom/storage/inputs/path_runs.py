"""Group values by path into runs, so that results cached for a run survive changes elsewhere.

The result for a run is valid until a path is added to it or removed from it.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_RUN_PATHS = 16
"""About so many paths are searched, or known to hold nothing, at once."""


def path_runs(values: Iterable[T], path: Callable[[T], str]) -> Iterator[list[T]]:
    """Yield runs of values; the path of a value decides whether a run ends with it."""
    run: list[T] = []
    for value in values:
        run.append(value)
        if not zlib.crc32(path(value).encode("utf-8", "surrogatepass")) % _RUN_PATHS:
            yield run
            run = []
    yield run
