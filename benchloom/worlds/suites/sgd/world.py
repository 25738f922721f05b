"""Build the world of a start: its services as tools over their rows."""

from benchloom.core.errors import RunError
from benchloom.worlds.suites.sgd.goals import GOALS
from benchloom.worlds.suites.sgd.start import Start, read_start
from benchloom.worlds.suites.sgd.tables import FROZEN, SCHEMA, fill
from benchloom.worlds.suites.sgd.tools import tool_of
from benchloom.worlds.world import World

NOW = "2019-03-01T09:00:00+00:00"
"""The day that SGD's dialogues mean by today."""


def world(start: str) -> World:
    """Build the world of a start in JSON; raise `RunError` if it is invalid."""
    return world_of(read_start(start))


def world_of(start: Start) -> World:
    """Build the world of a start.

    Raises:
        RunError: two methods, arguments, rows or answers contradict each other.
    """
    names = [(world_method.service, world_method.name) for world_method in start.methods]
    if len(set(names)) != len(names):
        raise RunError("the start contradicts itself: two methods have the same name")
    for method in start.methods:
        if len({argument.name for argument in method.arguments}) != len(method.arguments):
            raise RunError(f"{method.service}.{method.name}: two arguments have the same name")
    sgd_world = World(
        "sgd",
        NOW,
        SCHEMA,
        lambda state: fill(state, start),
        [tool_of(world_method) for world_method in start.methods],
        frozen=FROZEN,
        goals=GOALS,
    )
    _ = sgd_world.start  # raises for contradicting rows here, not at the first call
    return sgd_world
