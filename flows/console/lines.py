"""Print progress as plain lines for a file, a pipe or a log: seldom, with limited silence.

An activity of less than five seconds prints nothing. A longer one prints a line every five
seconds for half a minute, then every quarter of a minute, and after five minutes one a minute.
"""

import time
from collections.abc import Callable, Sequence
from typing import TextIO

from benchloom.core.progress import UnderWay
from flows.console.times import line_of

_AGES = ((30.0, 5.0), (300.0, 15.0))
_SELDOM = 60.0


def pause_at(age: float) -> float:
    """Return the seconds between two lines about an activity of this age in seconds."""
    return next((pause for most, pause in _AGES if age < most), _SELDOM)


class Lines:
    """A screen of plain lines."""

    every = 1.0
    """Seconds between two looks at whether a line is due."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._last = clock()

    def show(self, open_ones: Sequence[UnderWay]) -> None:
        """Print the progress of the innermost activity, when a line is due."""
        if not open_ones:
            return
        now = self._clock()
        # Its age is that of the outermost: gates that take a second each are still one check.
        if now - self._last >= pause_at(now - open_ones[0].began):
            self.say(line_of(open_ones[-1], now))

    def say(self, line: str) -> None:
        """Write a line now."""
        self._last = self._clock()
        self._out.write(line + "\n")
        self._out.flush()

    def began(self, open_ones: Sequence[UnderWay]) -> None:
        """Do nothing: the activity may end before a line is due."""

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Do nothing: the caller reports the end of its activity."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
