"""This module shows progress events on a display, and refreshes it while no events arrive."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from benchloom.core.progress import UnderWay, listening, say, under_way
from flows.console.bars import Bars, Screen, line_of
from flows.console.interrupts import stopping

QUIET = frozenset({"-q", "--quiet"})
VERBOSE = frozenset({"-v", "--verbose"})


class Verbosity:
    """The verbosity that the user chose with `--quiet` or `--verbose`.

    Every command accepts both options anywhere in the command line.

    Attributes:
        quiet: whether progress is hidden.
        verbose: whether log lines of the run, and the traceback of an error, are shown.
    """

    quiet = False
    verbose = False

    def reset(self) -> None:
        """Set both options to False, before another command line runs in this process."""
        self.quiet = self.verbose = False

    def read_options(self, words: Sequence[str]) -> list[str]:
        """Read both options from a command line, and return the words that are not these options.

        Words after `--` are not read as options.
        """
        end = words.index("--") if "--" in words else len(words)
        for word in words[:end]:
            self.quiet = self.quiet or word in QUIET
            self.verbose = self.verbose or word in VERBOSE
        other_words = [word for word in words[:end] if word not in QUIET | VERBOSE]
        return [*other_words, *words[end:]]


verbosity = Verbosity()


_AGES = ((30.0, 5.0), (300.0, 15.0))
_SELDOM = 60.0


def pause_at(age: float) -> float:
    """Return the seconds between two lines about an activity that began `age` seconds ago."""
    return next((pause for most, pause in _AGES if age < most), _SELDOM)


# Lines are rare, but silence is limited: an activity of less than five seconds prints nothing. A
# longer one prints a line every five seconds for half a minute, then every quarter of a minute, and
# after five minutes one a minute.
class Lines(Screen):
    """A display that prints progress as plain lines, and ignores starts and ends of activities."""

    every = 1.0

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._last = clock()

    def show(self, open_ones: Sequence[UnderWay]) -> None:
        """Print the progress of the innermost activity if the last line is old enough."""
        if not open_ones:
            return
        now = self._clock()
        # The age of the outermost activity counts: many gates of a second each are one long check.
        if now - self._last >= pause_at(now - open_ones[0].began):
            self.say(line_of(open_ones[-1], now))

    def say(self, line: str) -> None:
        """Write a line of text immediately."""
        self._last = self._clock()
        self._out.write(line + "\n")
        self._out.flush()


class ProgressListener:
    """A progress listener that shows activities on a display.

    A thread refreshes the display regularly, so that the elapsed time advances even if the work
    reports no progress. The thread starts with the first activity and ends when the listener is
    closed.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._open: list[UnderWay] = []
        self._lock = threading.RLock()  # an interrupt may arrive while the lock is held
        self._over = threading.Event()
        self._looking: threading.Thread | None = None

    def began(self, activity: UnderWay) -> None:
        """Show an activity that has begun, and start to refresh the display."""
        with self._lock:
            if self._over.is_set() or verbosity.quiet:
                return
            self._open.append(activity)
            self._screen.began(self._open)
            if self._looking is None:
                self._looking = threading.Thread(target=self._look, daemon=True, name="voice")
                self._looking.start()

    def moved(self, activity: UnderWay) -> None:
        """Do nothing, because the next refresh of the display shows the progress."""

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Tell the display that an activity has ended."""
        with self._lock:
            if activity in self._open:
                self._open.remove(activity)
                self._screen.ended(activity, well=well)

    def write_line(self, line: str) -> None:
        """Show a line of text on the display."""
        with self._lock:
            if not self._over.is_set() and not verbosity.quiet:
                self._screen.say(line)

    def close(self) -> None:
        """Stop refreshing, and close the display."""
        self._over.set()
        with self._lock:
            self._open.clear()
            self._screen.close()

    def _look(self) -> None:
        while not self._over.wait(self._screen.every):
            with self._lock:
                if not self._over.is_set():
                    self._screen.show(self._open)


@contextmanager
def show_progress() -> Iterator[None]:
    """Show progress on standard error during the block."""
    voice = ProgressListener(Bars() if sys.stderr.isatty() else Lines(sys.stderr))
    stopping.first(voice.close)
    try:
        with listening(voice):
            yield
    finally:
        voice.close()


@contextmanager
def starting(command: str, *, is_quick: bool = False) -> Iterator[None]:
    """Print that a command is starting, and show it as an activity during the block.

    With `is_quick`, for a command with short imports, the line is printed only on a terminal.
    """
    if not is_quick or sys.stderr.isatty():
        say(f"benchloom {command}: starting...")
    with under_way(f"{command}: starting"):
        yield
