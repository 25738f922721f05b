"""Report the progress of long runs to a listener, such as `flows.console`, if there is one."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class UnderWay:
    """An activity in progress. Of `total` elements, `done` are finished.

    `unit` is the plural noun for the elements. `total` is None if it is unknown. If the function
    `detail` is set, the text that it returns is shown in place of the numbers.
    """

    def __init__(self, name: str, total: int | None = None, unit: str = "") -> None:
        self.name = name
        self.total = total
        self.unit = unit
        self.done = 0
        self.detail: Callable[[], str] | None = None
        self.began = time.monotonic()
        self._counting = threading.Lock()  # sites are crawled in threads

    def start(self, total: int | None, unit: str | None = None) -> None:
        """Begin to count again from 0 to `total`. The remaining time is estimated from now on."""
        with self._counting:
            self.total, self.done = total, 0
            self.unit = self.unit if unit is None else unit
            self.began = time.monotonic()
        if _listener is not None:
            _listener.moved(self)

    def advance(self, count: int = 1) -> None:
        """Report that `count` more elements are finished."""
        with self._counting:
            self.done += count
        if _listener is not None:
            _listener.moved(self)


class Listener(Protocol):
    """A receiver of progress reports. Several threads may call it at the same time."""

    def began(self, progress: UnderWay) -> None:
        """Receive the start of an activity, which is inside all activities that have not ended."""

    def moved(self, progress: UnderWay) -> None:
        """Receive a change in the count of an activity."""

    def ended(self, progress: UnderWay, *, well: bool) -> None:
        """Receive the end of an activity. `well` is false if an error or an interrupt ended it."""

    def write_line(self, line: str) -> None:
        """Show a line to the user."""


_listener: Listener | None = None


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Use a listener inside the `with` block. A process has only one listener at a time."""
    global _listener  # noqa: PLW0603  threads that Prefect starts share no context with this one
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextmanager
def under_way(name: str, total: int | None = None, unit: str = "") -> Iterator[UnderWay]:
    """Report an activity to the listener while the `with` block runs, and yield the activity."""
    progress = UnderWay(name, total, unit)
    if _listener is not None:
        _listener.began(progress)
    well = False
    try:
        yield progress
        well = True
    finally:
        if _listener is not None:
            _listener.ended(progress, well=well)


def counted(elements: Iterable[T], name: str, total: int | None, unit: str) -> Iterator[T]:
    """Yield all elements, and report an element as finished when the next one is requested."""
    with under_way(name, total, unit) as progress:
        for element in elements:
            yield element
            progress.advance()


def say(line: str) -> None:
    """Send a line of text for people to the listener, if there is one."""
    if _listener is not None:
        _listener.write_line(line)
