"""Lock a workspace, so that only one process writes to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchloom.core.errors import BusyError


@contextmanager
def workspace_lock(workspace: Path) -> Iterator[None]:
    """Hold the kernel's lock of a workspace inside the block, as its only writer, or BusyError."""
    import fcntl

    workspace.mkdir(parents=True, exist_ok=True)
    with (workspace / ".lock").open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{workspace}: another run is writing here; wait for it or choose another"
            raise BusyError(message) from error
        yield
