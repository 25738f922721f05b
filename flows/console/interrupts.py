"""How a command ends that somebody stopped: one line, no traceback, and in time.

SIGINT and SIGTERM take the same way out, with the exit codes that shells give them. What a run has
finished is kept whatever happens to it afterwards, so its way out may be cut short.
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
    """What is known of a stop: which signal asked for it, and what to say."""

    def __init__(self) -> None:
        self.code = INTERRUPTED
        self.is_said = False
        self._kept = ""
        self._hush: Callable[[], object] | None = None

    def first(self, hush: Callable[[], object]) -> None:
        """Have what is shown ended before anything is said about the stop."""
        self._hush = hush

    def keeps(self, what: str) -> None:
        """Say, when the command is stopped from now on, what the next one finds."""
        self._kept = what

    def say(self) -> None:
        """Say, once, that running again goes on."""
        if self.is_said:
            return
        self.is_said = True
        if self._hush is not None:
            self._hush()
        word = "terminated" if self.code == TERMINATED else "interrupted"
        note = f"; {self._kept}" if self._kept else ""
        sys.stderr.write(f"benchloom: {word}; {AGAIN}{note}\n")
        sys.stderr.flush()

    def leave_within(self, seconds: float) -> None:
        """Leave when the end in order takes longer than that."""
        limit = threading.Timer(seconds, self.leave)
        limit.daemon = True
        limit.start()

    def leave(self) -> None:
        """End this process now, whatever it does; what it started sees that, and ends."""
        self.say()
        sys.stdout.flush()
        os._exit(self.code)


stopping = Stopping()
"""Of this process; a command says here what it keeps."""


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Take SIGTERM for an interrupt in the block, and remember that it was one."""
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
