"""Running a Prefect flow from the command line: one writer, one server."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TypeVar

from benchloom.workspace import workspace_lock
from flows.local_server import local_server

T = TypeVar("T")


def run_flow(workspace: Path, start: Callable[[], Coroutine[object, object, T]]) -> T:
    """Run a flow to its end in a workspace.

    Raises:
        RunError: another run is writing in the workspace.
    """
    with workspace_lock(workspace), local_server():
        return asyncio.run(start())
