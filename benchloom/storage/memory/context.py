"""The memory that a context uses, and the functions that read and write it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.storage.memory.store import Memory, memory_file

T = TypeVar("T")
MEMORY = "memory"
"""The folder of a workspace that contains it."""
_memory: ContextVar[Memory | None] = ContextVar("memory", default=None)


def memory() -> Memory | None:
    """The memory of this context; None where nothing is remembered."""
    return _memory.get()


def memory_for_others() -> Path | None:
    """Save all values, and return the path of the memory file for other processes."""
    remembered = _memory.get()
    if remembered is None:
        return None
    remembered.flush()
    return remembered.path


def knows(key: bytes) -> bool:
    """Whether a key is remembered, for example that a search of a text had no match."""
    remembered = _memory.get()
    return remembered is not None and remembered.get(key) is not None


def note(key: bytes) -> None:
    """Remember a key without a value."""
    remembered = _memory.get()
    if remembered is not None:
        remembered.put(key)


def recall(key: bytes, kind: type[T], compute: Callable[[], T]) -> T:
    """Return the remembered value of a key, else compute it with `compute` and remember it.

    Args:
        key: the digest of all that decides the value besides our code.
        kind: its type, which msgspec can encode.
        compute: the function that computes the value.
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
    """Use a memory inside the block, unless this context already uses it.

    Args:
        location: the folder of the memory, or its file, which saves each process looking for
            it; without one nothing is remembered.
        owner: whether this process writes it; False in processes of a stage.
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
