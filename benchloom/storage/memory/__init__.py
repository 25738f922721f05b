"""The cache of a workspace: it stores values under digests of everything that determines them.

    with remembering(workspace / MEMORY):
        plot = recall(digest("plot", figures), Plot, draw)  # drawn once, by this code

The cache is one SQLite file, named by the digest of our code, so other code does not read its
values. Keys are digests of 16 bytes, values are bytes with a checksum. A damaged or missing value
is computed again. One process owns the file and writes to it. Other processes read the file and
write their new values to separate files, which the owner merges into the file.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

import msgspec

from benchloom.storage.memory.store import KEY_BYTES, Memory, digest, memory_file

__all__ = [
    "KEY_BYTES",
    "Memory",
    "digest",
    "knows",
    "memory",
    "note",
    "recall",
    "remembering",
    "with_memory",
]


T = TypeVar("T")
P = ParamSpec("P")
_memory: ContextVar[Memory | None] = ContextVar("memory", default=None)


def memory() -> Memory | None:
    """Return the cache that is in use, or None if there is none. `remembering` opens a cache."""
    return _memory.get()


def knows(key: bytes) -> bool:
    """Return whether the cache contains a key, with a value or without one (see `note`)."""
    remembered = _memory.get()
    return remembered is not None and remembered.get(key) is not None


def note(key: bytes) -> None:
    """Store a key without a value in the cache, for example to record that a check passed."""
    remembered = _memory.get()
    if remembered is not None:
        remembered.put(key)


def recall(key: bytes, kind: type[T], compute: Callable[[], T]) -> T:
    """Return the cached value of a key, or compute the value and store it.

    The key must cover everything that determines the value, except our code. A stored value is
    decoded as the type `kind`.
    """
    remembered = _memory.get()
    if remembered is None:
        return compute()
    content = remembered.get(key)
    if content is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(content, type=kind)
    value = compute()
    remembered.put(key, msgspec.msgpack.encode(value))
    return value


@contextmanager
def remembering(location: Path | None, *, owner: bool = True) -> Iterator[Memory | None]:
    """Use a cache inside the `with` block. Yields the cache, or None if there is none.

    `location` is the folder of the cache or, to save a search, its file. The main process is the
    `owner`; the worker processes of a stage are not. A cache that is already in use is not opened
    again.
    """
    current = _memory.get()
    path = (
        None
        if location is None
        else location
        if location.suffix == ".sqlite"
        else memory_file(location)
    )
    if path is None or (current is not None and current.path == path):
        yield current
        return
    opened = Memory(path, owner=owner)
    token = _memory.set(opened)
    try:
        yield opened
    finally:
        _memory.reset(token)
        opened.close()


def with_memory(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function so that it also uses this cache when another process calls it.

    All new values are written to the cache file first, because other processes read that file.
    """
    remembered = _memory.get()
    if remembered is None:
        return function
    remembered.flush()
    return _WithMemory(function, remembered.path)


class _WithMemory(Generic[P, T]):
    """A function that opens the cache file in every process that calls it."""

    def __init__(self, function: Callable[P, T], file: Path) -> None:
        self.func = function
        self._file = file

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        with remembering(self._file, owner=False):
            return self.func(*args, **kwargs)
