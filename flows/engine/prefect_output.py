"""This module hides what Prefect and its libraries print to standard error.

A failed run should print only the error message of the command. Prefect reports errors with
tracebacks, also from its own threads, which continue after the run has ended. Its console log level
(`flows.engine.prefect_settings`) hides log records; this module hides other tracebacks. If the user
sets a log level, everything is shown.
"""

import logging
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

import httpx

from benchloom.core.errors import RunError
from flows.engine.prefect_settings import is_quiet

_OURS = frozenset({"benchloom", "flows", "parsers", "prompts", "scrapers"})

_LOCKED = "database is locked"
_UNLOCK = (
    "end the process that locks it, or unset PREFECT_API_DATABASE_CONNECTION_URL to keep it in "
    "memory, and "
)


def prefect_fault(error: Exception, server_error: str = "") -> RunError | None:
    """Convert an error of Prefect to a readable error; return None for other errors.

    `server_error` is the line of output with which Prefect's server reported an error, or "".
    """
    from prefect.exceptions import PrefectException

    # Flows use httpx only for Prefect; the crawler has a separate client.
    if isinstance(error, httpx.TransportError):
        fault = f"Prefect's server has ended ({server_error or error})"
    elif isinstance(error, (httpx.HTTPError, PrefectException)):
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        fault = f"Prefect's server failed ({server_error or first})"
    else:
        return None
    return RunError(
        f"{fault}; {_UNLOCK if _LOCKED in fault else ''}run the same command again to continue"
    )


def silence_prefect() -> None:
    """Stop printing errors of Prefect's threads and callbacks until this process ends.

    Do nothing if the user has chosen a log level.
    """
    if not is_quiet():
        return
    logging.raiseExceptions = False  # a handler that cannot reach the server prints a traceback
    threading.excepthook = _only_ours(threading.excepthook)
    sys.unraisablehook = _only_ours(sys.unraisablehook)


def _only_ours(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return an exception hook that calls `hook` only if the traceback leads through our code."""

    def ask(fault: Any) -> None:
        if _is_ours(fault.exc_traceback):
            hook(fault)

    return ask


def _is_ours(trace: TracebackType | None) -> bool:
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
            return True
        trace = trace.tb_next
    return False
