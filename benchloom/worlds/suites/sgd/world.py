"""The world of a start: its services as tools over their rows."""

from benchloom.errors import RunError
from benchloom.worlds.suites.sgd.start import Start, read_start
from benchloom.worlds.suites.sgd.tables import FROZEN, SCHEMA, fill
from benchloom.worlds.suites.sgd.tools import tool_of
from benchloom.worlds.world import World

NOW = "2019-03-01T09:00:00+00:00"
"""The day that SGD's dialogues call today."""


def world(start: str) -> World:
    """The world of a start in JSON.

    Raises:
        RunError: it says none, or contradicts itself.
    """
    return world_of(read_start(start))


def world_of(start: Start) -> World:
    """The world of a start.

    Raises:
        RunError: it contradicts itself.
    """
    names = [(one.service, one.name) for one in start.methods]
    if len(set(names)) != len(names):
        raise RunError("a start that contradicts itself: two methods of one name")
    for method in start.methods:
        if len({one.name for one in method.arguments}) != len(method.arguments):
            raise RunError(f"{method.service}.{method.name}: two arguments of one name")
    made = World(
        "sgd",
        NOW,
        SCHEMA,
        lambda state: fill(state, start),
        [tool_of(one) for one in start.methods],
        frozen=FROZEN,
    )
    _ = made.start  # what contradicts itself is told here, not by the first call
    return made
