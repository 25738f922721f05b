"""Report the progress of long runs to a listener (see `flows.console`), if there is one."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class UnderWay:
    """An activity in progress: `done` of `total`, counted in the unit `unit`.

    `total` is None if it is unknown. `detail`, if set, returns the whole progress line instead of
    the count.
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
        """Set the count to 0 and the total to `total`; the remaining time is estimated from now."""
        with self._counting:
            self.total, self.done = total, 0
            self.unit = self.unit if unit is None else unit
            self.began = time.monotonic()
        if _listener is not None:
            _listener.moved(self)

    def advance(self, count: int = 1) -> None:
        """Add the number of finished elements to the count."""
        with self._counting:
            self.done += count
        if _listener is not None:
            _listener.moved(self)


class Listener(Protocol):
    """A receiver of progress reports, possibly called from several threads concurrently."""

    def began(self, progress: UnderWay) -> None:
        """Report the start of an activity; it is part of any activity that has not ended yet."""

    def moved(self, progress: UnderWay) -> None:
        """Report that the count of an activity changed."""

    def ended(self, progress: UnderWay, *, well: bool) -> None:
        """Report the end of an activity; `well` is false if an error or an interrupt ended it."""

    def write_line(self, line: str) -> None:
        """Show a line to the user."""


_listener: Listener | None = None


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Use a listener in the `with` block; the process has only one listener at a time."""
    global _listener  # noqa: PLW0603  threads that Prefect starts share no context with this one
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextmanager
def under_way(name: str, total: int | None = None, unit: str = "") -> Iterator[UnderWay]:
    """Report an activity to the listener while the `with` block runs."""
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
    """Yield the elements of an iterable; count each as finished when the next is requested."""
    with under_way(name, total, unit) as progress:
        for element in elements:
            yield element
            progress.advance()


def say(line: str) -> None:
    """Send a line of text for people to the listener, if there is one."""
    if _listener is not None:
        _listener.write_line(line)
