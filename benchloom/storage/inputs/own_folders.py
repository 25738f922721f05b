"""Folders that are never inputs: those this run writes to, and unfinished output of any run."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from benchloom.core.errors import RunError

TEMPORARY = ".tmp-"
"""Prefix of unfinished files and folders."""
_own: ContextVar[frozenset[str]] = ContextVar("own_folders", default=frozenset())
"""Real paths of the folders that this run writes to."""


@contextmanager
def exclude_folders(*folders: Path) -> Iterator[None]:
    """Leave these folders out of every list of inputs that is made inside the `with` block."""
    token = _own.set(_own.get() | {os.path.realpath(folder) for folder in folders})
    try:
        yield
    finally:
        _own.reset(token)


def is_own(entry: os.DirEntry[str]) -> bool:
    """Whether a folder entry is a folder of this run, or unfinished output of any run."""
    if entry.name.startswith(TEMPORARY):
        return True
    own = _own.get()
    # Few folders have such a name, so that the path of most need not be resolved.
    return any(path.endswith(f"/{entry.name}") for path in own) and (
        os.path.realpath(entry.path) in own
    )


def refuse_own(inputs: Iterable[Path]) -> None:
    """Raise RunError if an input is a folder to which this run writes."""
    own = _own.get()
    for path in inputs if own else ():
        if os.path.realpath(path) in own:
            raise RunError(
                f"{path} is both an input and a folder that this run writes to; "
                "choose another folder for --out or --workspace"
            )
