"""A cache of open worlds, so that consecutive replays in the same world open it only once.

Every replay in an open world is rolled back, so that the world remains in its initial state.
"""

from collections.abc import Callable
from typing import TypeAlias

from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.world import World

Opener: TypeAlias = Callable[[str, str], World]
"""A function that takes the name of a suite and an initial state (JSON), and opens the world."""
_MAX_OPEN = 2


def open_world(suite: str, start: str) -> World:
    """Open the world of a suite in an initial state.

    Raises:
        RunError: the suite does not exist, or `start` is not an initial state of the suite.
    """
    return SUITES.find(suite).world(start)


class OpenWorld:
    """A world with an open session in the initial state, in which plans are replayed.

    `start` contains the initial digest of each table, and `counted` contains the names of the
    tables that tools can change. `cached_outcomes` contains the outcomes of calls that changed
    nothing in this state.
    """

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
    """A cache of the worlds that were opened last; consecutive tasks usually share a world."""

    def __init__(self, opening: Opener = open_world) -> None:
        self._opening = opening
        self._open: dict[tuple[str, str], OpenWorld] = {}

    def of(self, suite: str, start: str) -> OpenWorld:
        """Return the open world of a suite in an initial state, from the cache if possible.

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
