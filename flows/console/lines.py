"""Plain lines for a file, a pipe or a log: seldom, and never nothing for long.

What ends within five seconds says nothing by itself. What takes longer has a line every five
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
    """Seconds between two lines about something that has gone on for so long."""
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
        """Write how far the innermost thing is, when a line is due."""
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
        """What begins may be over before a line is due."""

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """What has ended is told by who made it."""

    def close(self) -> None:
        """Nothing stays open."""
