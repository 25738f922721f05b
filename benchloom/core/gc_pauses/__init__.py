"""How long the cyclic garbage collector is kept waiting where much is made and nothing is garbage.

It goes through what was made again and again: that can take as long as the making.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_OBJECTS = 50_000


def collect_seldom() -> None:
    """Let the collector run seldom from now on: for a process of our own."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Let the collector run seldom: parsed values are many, and hold no cycles."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def no_collections() -> Iterator[Callable[[], None]]:
    """Have the collector wait until what is given is called, or to the end of the block.

    Once it is called, what is there is left alone, for imports that stay as long as the process
    does: Prefect and its server are made of some 300,000 objects, and a third of the time in which
    they are made would be the collector's, a fifth where it looks seldom.
    """
    was_enabled = gc.isenabled()
    gc.disable()

    def resume() -> None:
        gc.freeze()
        if was_enabled:
            gc.enable()

    try:
        yield resume
    finally:
        if was_enabled:
            gc.enable()
