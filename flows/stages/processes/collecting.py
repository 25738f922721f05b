"""How often the cyclic garbage collector runs in a command and while a stage reads its input."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 50_000


def collect_seldom() -> None:
    """Let the collector run seldom from now on: for a process of our own."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Let the cyclic garbage collector run seldom: parsed values are many, and hold no cycles."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
