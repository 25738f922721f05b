"""Reduce the memory of processes that write tables, and the pauses of their garbage collector.

While many long-lived objects are created, the cyclic collector scans them again and again, which
can take as long as creating them.
"""

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.abc import MetaPathFinder
from types import ModuleType

_OBJECTS = 50_000


class _WithoutPandas(MetaPathFinder):
    """An import hook that makes every import of pandas fail while it is installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Make `import pandas` fail, and leave every other import to Python's own finders."""
        del path, target
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is blocked to save memory", name=fullname)


def skip_pandas() -> None:
    """Let pyarrow use less memory in this process; call it before pyarrow is imported.

    If pandas is installed, pyarrow imports pandas only to recognise pandas objects. The import
    costs 50 MiB and half a second, which a process without such objects can save. `to_pandas`
    does not work afterwards, so libraries and notebooks must not call this function.

    The allocator of pyarrow itself keeps the memory that it used for every file: 16 MiB in a run of
    2,000 rows, and 70 MiB when the files of 48 shards are merged. The system's allocator returns
    it, here and in child processes. A memory pool that the user has chosen is not changed.
    """
    # pyarrow reads this variable once, at its first allocation.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    there = any(isinstance(finder, _WithoutPandas) for finder in sys.meta_path)
    if not there and "pandas" not in sys.modules:
        # pyarrow tries the import once, on first use, and remembers that it failed.
        sys.meta_path.insert(0, _WithoutPandas())


_M_ARENA_MAX = -8
"""The parameter of mallopt(3) for the maximum number of arenas."""


def limit_arenas() -> None:
    """Let threads share freed memory; call this before any thread starts.

    glibc keeps separate memory for every thread: a server that answered a dozen simultaneous
    requests held 250 MiB more than it used, and a command reserved 64 MiB of addresses for
    each of Arrow's threads, which counts against a memory limit. Other systems have no such
    setting.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


def collect_rarely() -> None:
    """Make garbage collection rare for the rest of this process."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Make garbage collection rare inside the block, for example to parse many values."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def no_collections() -> Iterator[Callable[[], None]]:
    """Pause the garbage collector until the yielded function is called or the block ends.

    Calling the function also exempts all existing objects from collection for the rest of the
    process. Prefect and its server consist of some 300,000 objects; collecting takes a third of the
    time of importing them.
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
