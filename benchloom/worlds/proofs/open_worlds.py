"""A cache of open worlds for several replays, with the initial digests of all tables.

Every trial in an open world is rolled back.
"""

from collections.abc import Callable
from typing import TypeAlias

from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.world import World

Opener: TypeAlias = Callable[[str, str], World]
"""A function from the names of a suite and an initial state to a world, or `RunError`."""
_MAX_OPEN = 2


def open_world(suite: str, start: str) -> World:
    """Open the world of a suite in an initial state.

    Raises:
        RunError: no such suite, or the start does not belong to it.
    """
    return SUITES.find(suite).world(start)


class OpenWorld:
    """A world in its initial state; `cached_outcomes` has the outcomes of calls without effects."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.session = Session(world)
        self.cached_outcomes: dict[tuple[int, str, bytes], Outcome] = {}
        self.counted = frozenset(self.session.counted)
        self.start = self.session.table_digests()

    def close(self) -> None:
        """Free the memory of the world."""
        self.session.close()


class OpenWorlds:
    """A cache of the worlds opened last, because consecutive tasks usually share a world."""

    def __init__(self, opening: Opener = open_world) -> None:
        self._opening = opening
        self._open: dict[tuple[str, str], OpenWorld] = {}

    def of(self, suite: str, start: str) -> OpenWorld:
        """Return the world of a suite in an initial state, which is opened unless it already is.

        Raises:
            RunError: there is no such world.
        """
        key = (suite, start)
        if key not in self._open:
            opened = OpenWorld(self._opening(suite, start))
            while len(self._open) >= _MAX_OPEN:
                self._open.pop(next(iter(self._open))).close()
            self._open[key] = opened
        return self._open[key]

    def close(self) -> None:
        """Close all open worlds."""
        while self._open:
            self._open.popitem()[1].close()
