"""The world of a start: its services as tools over their rows."""

from benchloom.core.errors import RunError
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
    names = [(world_method.service, world_method.name) for world_method in start.methods]
    if len(set(names)) != len(names):
        raise RunError("a start that contradicts itself: two methods of one name")
    for method in start.methods:
        if len({argument.name for argument in method.arguments}) != len(method.arguments):
            raise RunError(f"{method.service}.{method.name}: two arguments of one name")
    sgd_world = World(
        "sgd",
        NOW,
        SCHEMA,
        lambda state: fill(state, start),
        [tool_of(world_method) for world_method in start.methods],
        frozen=FROZEN,
    )
    _ = sgd_world.start  # what contradicts itself is told here, not by the first call
    return sgd_world
