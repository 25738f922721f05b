"""Imports without the collector, which would find nothing and go through all of it every time.

Prefect and its server are made of some 300,000 objects that stay as long as the process does: a
third of the time in which they are made is the collector's, and a fifth where it looks seldom.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[Callable[[], None]]:
    """Have the collector wait until what is given is called, or to the end of the block.

    It then leaves alone what is there.
    """
    gc.disable()
    try:
        yield _resumed
    finally:
        gc.enable()


def _resumed() -> None:
    gc.freeze()
    gc.enable()
