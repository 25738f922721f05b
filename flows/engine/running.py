"""Running a Prefect flow from the command line: one writer, one server."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TypeVar

import httpx

from benchloom.errors import BenchloomError, RunError
from benchloom.workspace import workspace_lock
from flows.engine.local_server import local_server
from flows.engine.secrets import load_secrets

T = TypeVar("T")


Start = Callable[[], Coroutine[object, object, T]]


def run_flow(workspace: Path, load: Callable[[], Start[T]]) -> T:
    """Run a flow to its end in a workspace.

    `load` gives the flow with its parameters; what it imports is imported while a server starts.

    Raises:
        BusyError: another run is writing in the workspace.
        RunError: Prefect's server went away under the run, which goes on when started again.
    """
    with workspace_lock(workspace), local_server() as ready:
        start = load()
        ready()
        quiet_known_faults()
        try:
            return asyncio.run(_with_secrets(start))
        except httpx.TransportError as error:
            # Flows reach nothing but Prefect through httpx; sites have a client of their own.
            message = f"Prefect's server is gone ({error}); run again to go on where it stopped"
            raise RunError(message) from error


async def _with_secrets(start: Start[T]) -> T:
    await load_secrets()
    return await start()


def quiet_known_faults() -> None:
    """Let Prefect log no traceback of a fault of ours: its one line is the state's message."""
    for name in ("prefect.flow_runs", "prefect.task_runs"):
        logging.getLogger(name).addFilter(_without_known_faults)


def _without_known_faults(record: logging.LogRecord) -> bool:
    """Whether Prefect may log this: a fault of ours ends in one line of the command instead."""
    fault = record.exc_info[1] if record.exc_info else None
    return not isinstance(fault, (BenchloomError, httpx.TransportError))
