"""A world that is open for proofs: its start is known table by table, and trials are taken back."""

from collections.abc import Callable
from typing import TypeAlias

from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.world import World

OpenWorld: TypeAlias = Callable[[str, str], World]
"""The world of a suite's name and a start; raises `RunError` where there is none."""
_MOST_OPEN = 2


def open_world(suite: str, start: str) -> World:
    """The world of a start.

    Raises:
        RunError: no such suite, or the start is none of its.
    """
    return SUITES.find(suite).world(start)


class Ground:
    """One open world at its start; `known` are outcomes of calls that change nothing there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.session = Session(world)
        self.known: dict[tuple[int, str, bytes], Outcome] = {}
        self.counted = frozenset(self.session.counted)
        self.start = {name: self.session.table_digest(name) for name in self.session.counted}

    def close(self) -> None:
        """Give the memory back."""
        self.session.__exit__(None, None, None)


class Grounds:
    """Open worlds, the last ones kept: tasks of one world stand side by side."""

    def __init__(self, opening: OpenWorld = open_world) -> None:
        self._opening = opening
        self._open: dict[tuple[str, str], Ground] = {}

    def of(self, suite: str, start: str) -> Ground:
        """The world of a start, opened where it is not.

        Raises:
            RunError: there is none.
        """
        key = (suite, start)
        if key not in self._open:
            ground = Ground(self._opening(suite, start))
            while len(self._open) >= _MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            self._open[key] = ground
        return self._open[key]

    def close(self) -> None:
        """Close all."""
        while self._open:
            self._open.popitem()[1].close()
