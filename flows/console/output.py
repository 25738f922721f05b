"""The voice of a command: listens to what is under way, and looks again when nothing is counted."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from benchloom.core.progress import UnderWay, listening, say, under_way
from flows.console.bars import Bars
from flows.console.interrupts import stopping
from flows.console.lines import Lines


class Screen(Protocol):
    """What a voice speaks with; called by one thread at a time."""

    every: float

    def began(self, open_ones: list[UnderWay]) -> None:
        """The last of these has begun."""
        ...

    def show(self, open_ones: list[UnderWay]) -> None:
        """Show what is under way, the outermost first, as often as it likes."""
        ...

    def say(self, line: str) -> None:
        """Show a line."""
        ...

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Something is over."""
        ...

    def close(self) -> None:
        """Nothing more comes."""
        ...


class Voice:
    """Tells a screen what is under way.

    A thread looks again every now and then while something is: work that counts nothing for a
    while would be silent otherwise. It starts with the first thing and ends with the voice.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._open: list[UnderWay] = []
        self._lock = threading.RLock()  # an interrupt may come while it is held
        self._over = threading.Event()
        self._looking: threading.Thread | None = None

    def began(self, activity: UnderWay) -> None:
        """Show it, and keep looking."""
        with self._lock:
            if self._over.is_set():
                return
            self._open.append(activity)
            self._screen.began(self._open)
            if self._looking is None:
                self._looking = threading.Thread(target=self._look, daemon=True, name="voice")
                self._looking.start()

    def moved(self, activity: UnderWay) -> None:
        """Nothing: the next look shows it."""

    def ended(self, activity: UnderWay, *, well: bool) -> None:
        """Show it no more."""
        with self._lock:
            if activity in self._open:
                self._open.remove(activity)
                self._screen.ended(activity, well=well)

    def said(self, line: str) -> None:
        """Show a line."""
        with self._lock:
            if not self._over.is_set():
                self._screen.say(line)

    def close(self) -> None:
        """End what is shown; the terminal is as it was."""
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
def speaking() -> Iterator[None]:
    """Tell people on standard error what goes on in the block."""
    voice = Voice(Bars() if sys.stderr.isatty() else Lines(sys.stderr))
    stopping.first(voice.close)
    try:
        with listening(voice):
            yield
    finally:
        voice.close()


def say_start(command: str) -> None:
    """Say at once that a command starts."""
    say(f"benchloom {command}: starting...")


@contextmanager
def starting_here(command: str) -> Iterator[None]:
    """The same for what imports for a moment: only a terminal hears of it."""
    if sys.stderr.isatty():
        say_start(command)
    with under_way(f"{command}: starting"):
        yield


@contextmanager
def starting(command: str) -> Iterator[None]:
    """Say at once that a command starts, for the block in which it imports and looks around."""
    say_start(command)
    with under_way(f"{command}: starting"):
        yield
