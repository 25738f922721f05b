"""End an interrupted command with one line, without a traceback, and in time.

SIGINT and SIGTERM are handled alike, with the exit codes that shells give them. The finished
work of a run is on disk, so its shutdown may be cut short.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED, TERMINATED = 130, 143
AGAIN = "run the same command again to continue"


class Stopping:
    """The state of an interruption: which signal caused it, and what to print."""

    def __init__(self) -> None:
        self.code = INTERRUPTED
        self.is_said = False
        self._kept = ""
        self._hush: Callable[[], object] | None = None
        self._then: Callable[[], object] | None = None

    def first(self, hush: Callable[[], object]) -> None:
        """Register a callback that ends the progress display before the message is printed."""
        self._hush = hush

    def then(self, record: Callable[[], object] | None) -> None:
        """Register a callback that records the interruption after the message is printed."""
        self._then = record

    def keeps(self, what: str) -> None:
        """Set which work the message reports as preserved, for an interruption from now on."""
        self._kept = what

    def say(self) -> None:
        """Print once that the command was interrupted and that running it again continues."""
        if self.is_said:
            return
        self.is_said = True
        if self._hush is not None:
            self._hush()
        word = "terminated" if self.code == TERMINATED else "interrupted"
        note = f"; {self._kept}" if self._kept else ""
        sys.stderr.write(f"benchloom: {word}; {AGAIN}{note}\n")
        sys.stderr.flush()
        if self._then is not None:
            self._then()

    def leave_within(self, seconds: float) -> None:
        """Exit after this many seconds if the orderly shutdown takes longer."""
        limit = threading.Timer(seconds, self.leave)
        limit.daemon = True
        limit.start()

    def leave(self) -> None:
        """Exit the process immediately; its child processes notice the exit and end."""
        self.say()
        sys.stdout.flush()
        os._exit(self.code)


stopping = Stopping()
"""Of this process; a command says here what it keeps."""


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Handle SIGTERM like an interrupt inside the block, and remember that it was SIGTERM."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(number: int, frame: object) -> None:
    del number, frame
    stopping.code = TERMINATED
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)  # event loops have handlers of their own
    else:  # a shell that starts us in the background has interrupts ignored
        raise KeyboardInterrupt
