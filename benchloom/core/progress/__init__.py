"""What a long run is at, told to whoever listens: nobody, unless a command says so.

Stages and the building of releases say here what they begin, count and end. Who shows it, and how,
is the business of the command: see `flows.console`.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class UnderWay:
    """Something that goes on: `done` of `total` things that are called `unit`.

    `total` is None where nobody knows it. `detail`, where it is set, is asked for the whole line
    instead.
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
        """Count anew, to a total that is known by now; the time left is reckoned from here."""
        with self._counting:
            self.total, self.done = total, 0
            self.unit = self.unit if unit is None else unit
            self.began = time.monotonic()
        _listener.moved(self)

    def advance(self, things: int = 1) -> None:
        """Count finished things."""
        with self._counting:
            self.done += things
        _listener.moved(self)


class Listener(Protocol):
    """Who is told; from several threads at once."""

    def began(self, progress: UnderWay) -> None:
        """Something has begun; what was begun before and has not ended waits for it."""
        ...

    def moved(self, progress: UnderWay) -> None:
        """Something was counted."""
        ...

    def ended(self, progress: UnderWay, *, well: bool) -> None:
        """It is over; not well where a fault or an interrupt ended it."""
        ...

    def said(self, line: str) -> None:
        """A line that people should read."""
        ...


class Nobody:
    """Listens to nothing."""

    def began(self, progress: UnderWay) -> None:
        """Nothing."""

    def moved(self, progress: UnderWay) -> None:
        """Nothing."""

    def ended(self, progress: UnderWay, *, well: bool) -> None:
        """Nothing."""

    def said(self, line: str) -> None:
        """Nothing."""


_listener: Listener = Nobody()


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have somebody listen for the block; one at a time, for the whole process."""
    global _listener  # noqa: PLW0603  threads that Prefect starts share no context with this one
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextmanager
def under_way(name: str, total: int | None = None, unit: str = "") -> Iterator[UnderWay]:
    """Say that something goes on for the block."""
    progress = UnderWay(name, total, unit)
    _listener.began(progress)
    well = False
    try:
        yield progress
        well = True
    finally:
        _listener.ended(progress, well=well)


def counted(things: Iterable[T], name: str, total: int | None, unit: str) -> Iterator[T]:
    """The same things, each counted when the next one is asked for."""
    with under_way(name, total, unit) as progress:
        for thing in things:
            yield thing
            progress.advance()


def say(line: str) -> None:
    """Tell people a line, where anybody listens."""
    _listener.said(line)
