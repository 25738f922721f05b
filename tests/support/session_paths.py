"""Files that fixtures of a session make once for all its processes."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_path(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """Return the path that `make` returned for a new folder in the first process that asked for it.

    The result is shared under `name`. Processes that ask for it meanwhile wait. If `make` fails,
    the next process calls it again.
    """
    session = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        session = session.parent
    with (session / f"{name}.path").open("a+") as note:
        fcntl.flock(note, fcntl.LOCK_EX)
        note.seek(0)
        if not (path := note.read()):
            path = str(make(factory.mktemp(name)))
            note.write(path)
        return Path(path)
