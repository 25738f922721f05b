"""This module draws progress bars on a terminal, with counts, elapsed and remaining time."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchloom.core.progress import UnderWay

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


_RELIABLE_AFTER = 2.0
"""Seconds after which the average pace is reliable enough to estimate the remaining time."""
_RELIABLE_SHARE = 200
"""The remaining time is estimated as soon as one unit in this many is done."""


def format_duration(seconds: float) -> str:
    """Format a duration, for example as `0.4 s`, `12 s`, `3 min 5 s` or `2 h 10 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 3600:
        return f"{rounded // 60} min {rounded % 60} s"
    return f"{rounded // 3600} h {rounded % 3600 // 60} min"


def format_count(activity: UnderWay) -> str:
    """Format an activity's count, such as `3 of 8 shards` or `12 pages`; return "" without one."""
    unit = f" {activity.unit}" if activity.unit else ""
    if activity.total is not None:
        return f"{activity.done} of {activity.total}{unit}"
    return f"{activity.done}{unit}" if activity.done else ""


def format_remaining(activity: UnderWay, now: float) -> str:
    """Format the time that an activity still needs, or return "" if an estimate is unreliable."""
    passed = now - activity.began
    if not activity.total or not 0 < activity.done < activity.total or passed < _RELIABLE_AFTER:
        return ""
    if activity.done * _RELIABLE_SHARE < activity.total:
        return ""
    return (
        f"about {format_duration(passed * (activity.total - activity.done) / activity.done)} left"
    )


def line_of(activity: UnderWay, now: float) -> str:
    """Describe the progress of an activity in one line."""
    if activity.detail is not None:
        return activity.detail()
    passed = format_duration(now - activity.began)
    phrases = [format_count(activity), passed, format_remaining(activity, now)]
    return f"{activity.name}: {', '.join(part for part in phrases if part)}"


class Screen:
    """The base class of displays for progress; its methods do nothing.

    Only one thread at a time calls the methods. An activity is a piece of work that reports its
    progress (`UnderWay`). Activities can be nested; lists of them begin with the outermost.

    Attributes:
        every: seconds between two calls of `show`.
    """

    every: float

    def show(self, open_ones: Sequence[UnderWay]) -> None:
        """Show the progress of the current activities; a display may skip some calls."""

    def say(self, line: str) -> None:
        """Show a line of text that is not about progress."""

    def began(self, open_ones: Sequence[UnderWay]) -> None:
        """Show that the last activity in the list has begun."""

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Show that an activity has ended; `well` is False if it ended with an error."""

    def close(self) -> None:
        """Stop showing progress, and restore the terminal if needed."""


class Bars(Screen):
    """A display with a progress bar for each activity.

    The bar of the outermost activity remains on the terminal when the activity has ended.
    """

    every = 0.25

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._rows: dict[UnderWay, TaskID] = {}

    def began(self, open_ones: Sequence[UnderWay]) -> None:
        """Draw the bars immediately, including a bar for the new activity."""
        self.show(open_ones)

    def show(self, open_ones: Sequence[UnderWay]) -> None:
        """Draw the bars of the current activities again."""
        if not open_ones:
            return
        if self._bar is None:
            self._bar = _open_bar()
            self._bar.start()
        for activity in open_ones:
            if activity not in self._rows:
                self._rows[activity] = self._bar.add_task(activity.name, total=None, text="")
            self._update(self._bar, activity)
        self._bar.refresh()

    def say(self, line: str) -> None:
        """Write a line of text above the bars."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Remove the bar of an activity; when the outermost activity ends, its bar remains."""
        if self._bar is None or activity not in self._rows:
            return
        self._update(self._bar, activity)
        row = self._rows.pop(activity)
        if well and activity.total is None:
            self._bar.update(row, completed=1, total=1)
        if self._rows:
            self._bar.remove_task(row)
        else:
            self.close()

    def close(self) -> None:
        """Draw the bars a last time, and restore the terminal."""
        if self._bar is not None:
            self._bar.refresh()
            self._bar.stop()
            self._bar = None
            self._rows.clear()

    def _update(self, bar: "Progress", activity: UnderWay) -> None:
        text = line_of(activity, time.monotonic()).removeprefix(f"{activity.name}: ")
        row = self._rows[activity]
        bar.update(row, completed=activity.done, total=activity.total or None, text=text)


def _open_bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(30),
        TextColumn("{task.fields[text]}", markup=False),
    )
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False)
