"""This module runs Prefect flows from the command line."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx

from benchloom.core.errors import BenchloomError
from benchloom.core.progress import under_way
from benchloom.storage.workspace import workspace_lock
from flows.console.interrupts import stopping
from flows.engine.prefect_output import prefect_fault, silence_prefect
from flows.engine.run_record import record_start
from flows.engine.server.local import load_secrets, local_server
from flows.run.processes.lean import no_collections
from flows.run.processes.pool import kill_workers

T = TypeVar("T")


Start = Callable[[], Coroutine[object, object, T]]
_ENDS_WITHIN = 5.0
"""Maximum seconds that an interrupted run may take to shut down."""


def run_flow(workspace: Path, load: Callable[[], Start[T]]) -> T:
    """Lock a workspace, start Prefect's server, and run a flow to its end.

    `load` imports the flow and returns a function that starts it; it is called while the server
    starts.

    Raises:
        BusyError: another run is writing in the workspace.
        RunError: Prefect's server ended during the run. The next run continues the work.
    """
    with workspace_lock(workspace), no_collections() as imported, local_server() as server:
        record_start()
        stopping.keeps(f"every finished stage and shard stays in {workspace}")
        try:
            silence_prefect()
            with under_way("starting Prefect"):
                start = load()
                imported()
                server.ready()
            silence_own_errors()
            return run_in_thread(_with_secrets(start))
        except Exception as error:
            if fault := prefect_fault(error, server.last_error()):
                raise fault from error
            raise


def run_in_thread(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end in a separate thread, so that this thread can receive signals.

    If the flow ran in this thread, it would notice an interrupt only when its event loop is free,
    which may take long while a release is built, and Prefect would handle SIGTERM itself. An
    interrupt ends the workers and cancels the coroutine. Prefect then waits for threads, which
    cannot be interrupted, and for its server, which may have ended. Therefore the process exits
    after a few seconds in any case. The next run continues the killed work, and the watcher
    (`flows.engine.server.local`) ends a local server.

    Raises:
        KeyboardInterrupt: the command was interrupted, and the coroutine may still be running.
    """
    outcome: Future[T] = Future()
    running: Future[Callable[[], object]] = Future()

    async def cancellable() -> T:
        task = asyncio.current_task()
        if task is not None:
            call = asyncio.get_running_loop().call_soon_threadsafe
            running.set_result(partial(call, task.cancel))
        return await work

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(cancellable()))
        except BaseException as error:  # noqa: BLE001  it is raised again in the thread that waits
            outcome.set_exception(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True, name="flow")
    try:
        thread.start()
        return outcome.result()
    except KeyboardInterrupt:
        stopping.say()
        stopping.leave_within(_ENDS_WITHIN)
        running.result()()
        kill_workers()
        thread.join()
        raise


async def _with_secrets(start: Start[T]) -> T:
    await load_secrets()
    return await start()


def silence_own_errors() -> None:
    """Stop Prefect from logging benchloom's errors, because the command prints these errors."""
    for name in ("prefect.flow_runs", "prefect.task_runs"):
        logging.getLogger(name).addFilter(_is_unknown)


def _is_unknown(record: logging.LogRecord) -> bool:
    """Return False for a log record about an error that the command prints itself, else True."""
    if stopping.is_said:
        return False  # the user who cancelled a run needs no message about it
    fault = record.exc_info[1] if record.exc_info else None
    return not isinstance(fault, (BenchloomError, OSError, httpx.TransportError))
