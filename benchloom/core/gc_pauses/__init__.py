"""Delay the cyclic garbage collector while many long-lived objects are created.

Otherwise the collector scans the new objects again and again, which can take as long as
creating them.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_OBJECTS = 50_000


def collect_seldom() -> None:
    """Make garbage collection rare for the rest of the process; not for a caller's process."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Make garbage collection rare inside the block, for parsing many values without cycles."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def no_collections() -> Iterator[Callable[[], None]]:
    """Pause the collector until the yielded function is called or the block ends.

    The call also exempts all existing objects for the rest of the process. Prefect and its server
    consist of some 300,000 objects; collecting takes a third of the time of importing them.
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
