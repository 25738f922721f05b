"""This module ends an interrupted or aborted command with one line, without a traceback.

SIGINT and SIGTERM are handled alike, with the exit codes that shells give them. The finished work
of a run is on disk, so a slow shutdown may be cut short. A library can abort the process, as C++
code does when memory is exhausted. After an abort Python runs no code, so `report_aborts` registers
a handler with the C library.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flows import errors

INTERRUPTED, TERMINATED = 130, 143
AGAIN = "run the same command again to continue"


class Stopping:
    """The state of an interruption, with its exit code and what to do before the process ends."""

    def __init__(self) -> None:
        self.code = INTERRUPTED
        self.is_said = False
        self._preserved = ""
        self._hush: Callable[[], object] | None = None
        self._then: Callable[[], object] | None = None

    def first(self, hush: Callable[[], object]) -> None:
        """Set a callback that ends the progress display before the interruption is reported."""
        self._hush = hush

    def then(self, record: Callable[[], object] | None) -> None:
        """Set a callback that records the interruption after it was reported."""
        self._then = record

    def keeps(self, work: str) -> None:
        """Set the words that say which work is preserved, for the report of the interruption."""
        self._preserved = work

    def say(self) -> None:
        """Print once that the command was interrupted and that running it again continues."""
        if self.is_said:
            return
        self.is_said = True
        if self._hush is not None:
            self._hush()
        word = "terminated" if self.code == TERMINATED else "interrupted"
        note = f"; {self._preserved}" if self._preserved else ""
        sys.stderr.write(f"benchloom: {word}; {AGAIN}{note}\n")
        sys.stderr.flush()
        if self._then is not None:
            self._then()

    def leave_within(self, seconds: float) -> None:
        """Start a timer that exits the process if the orderly shutdown takes longer than this."""
        limit = threading.Timer(seconds, self.leave)
        limit.daemon = True
        limit.start()

    def leave(self) -> None:
        """Report the interruption and exit immediately, which also ends the child processes."""
        self.say()
        sys.stdout.flush()
        os._exit(self.code)


stopping = Stopping()
"""The interruption state of this process."""


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C inside the block, but with another message and exit code."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _handle_sigterm)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _handle_sigterm(number: int, frame: object) -> None:
    del number, frame
    stopping.code = TERMINATED
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)  # an event loop has its own handler
    else:  # a shell that starts this process in the background disables interrupts
        raise KeyboardInterrupt


_ABORTED = "benchloom: a library aborted the run, most likely because memory was exhausted;"
_LINE = f"{_ABORTED} {errors.AGAIN}\n".encode()
_EXIT_CODE = 2
_WITHIN = 5
"""Seconds after which an aborted process ends even if it cannot print its message."""
_handlers: list[object] = []
"""Handlers that the C library calls; this list keeps Python from freeing them."""


def report_aborts() -> None:
    """Make an abort of this process (SIGABRT) print one line and exit with code 2."""
    library = ctypes.CDLL(None)
    handler_of = ctypes.CFUNCTYPE(None, ctypes.c_int)

    def handle(number: int) -> None:
        del number
        signal.alarm(_WITHIN)
        os.write(2, _LINE)
        os._exit(_EXIT_CODE)

    handler = handler_of(handle)
    _handlers.append(handler)
    library.signal.argtypes = [ctypes.c_int, handler_of]
    library.signal.restype = ctypes.c_void_p
    library.signal(signal.SIGABRT, handler)
