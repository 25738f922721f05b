"""Keeps what Prefect and its libraries write to standard error away from people.

A run ends in one line of the command whatever failed below it. Prefect logs faults with their
frames, also of its own threads, which go on where the run has ended; its level of the console
(`flows.engine.prefect_settings`) covers what is logged, and this module the rest. Whoever chooses a
level of logging sees everything.
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
    "end what holds it, or unset PREFECT_API_DATABASE_CONNECTION_URL to keep it in memory, and "
)


def prefect_fault(error: Exception, said: str = "") -> RunError | None:
    """A fault of Prefect's as people need it, None for others; `said` is what its server said."""
    from prefect.exceptions import PrefectException

    # Flows reach nothing but Prefect through httpx; sites have a client of their own.
    if isinstance(error, httpx.TransportError):
        what = f"Prefect's server is gone ({said or error})"
    elif isinstance(error, (httpx.HTTPError, PrefectException)):
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        what = f"Prefect's server failed ({said or first})"
    else:
        return None
    return RunError(
        f"{what}; {_UNLOCK if _LOCKED in what else ''}run again to go on where it stopped"
    )


def silence_prefect() -> None:
    """Let threads and callbacks of Prefect fail in silence, from now on in this process."""
    if not is_quiet():
        return
    logging.raiseExceptions = False  # a handler that cannot reach the server writes its frames
    threading.excepthook = _only_ours(threading.excepthook)
    sys.unraisablehook = _only_ours(sys.unraisablehook)


def _only_ours(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A hook that is asked only about faults in our own code."""

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
