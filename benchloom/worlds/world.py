"""Define a world by its tables, its tools and its initial state."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from copy import copy
from functools import cached_property, lru_cache

from benchloom.worlds.state import State
from benchloom.worlds.tool import App, Tool


class World:
    """A set of tools that read and change the tables of one simulated environment.

    Args:
        name: the name of the world.
        now: the clock, an ISO 8601 time with its zone.
        schema: SQL that creates the tables; each must be STRICT and have a primary key.
        fill: adds the rows of the initial state.
        tools: the tools; their names are unique.
        frozen: tables that no tool changes and that no digest includes.
        sets: columns ("table.column") with JSON lists whose order has no meaning.
        goals: a mapping from a tool's name to its purpose for a person. The key "tool argument" is
            for a call that changes only this argument. `{}` in a purpose is replaced by the names
            of the requested fields. The default is derived from the tool's name.
    """

    def __init__(
        self,
        name: str,
        now: str,
        schema: str,
        fill: Callable[[State], None],
        tools: Sequence[Tool],
        *,
        frozen: Sequence[str] = (),
        sets: Sequence[str] = (),
        goals: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.now = now
        self.schema = schema
        self.frozen = frozenset(frozen)
        self.sets = frozenset(sets)
        self.goals = goals or {}
        self._fill = fill
        self.tools = {f"{tool.app}.{tool.name}": tool for tool in tools}
        if len(self.tools) != len(tools):
            raise ValueError(f"{name}: two tools have the same name")

    def at(self, now: str) -> "World":
        """Return this world with the same initial state and another clock time."""
        world = copy(self)
        world.now, world.start = now, self.start
        return world

    @cached_property
    def start(self) -> bytes:
        """The initial state as the bytes of a database, which depend only on SQLite's version."""
        with closing(State(_without_rows(self.schema), self.now)) as state:
            state.mark()
            self._fill(state)
            state.keep()
            return state.snapshot()


def world_of(name: str, now: str, apps: Sequence[App]) -> World:
    """Combine apps into a world; an app must come after the apps it needs."""

    def fill(state: State) -> None:
        for app in apps:
            app.fill(state)

    return World(
        name,
        now,
        "\n".join(app.schema for app in apps),
        fill,
        [tool for app in apps for tool in app.tools],
        frozen=[table for app in apps for table in app.frozen],
        sets=[column for app in apps for column in app.sets],
        goals={
            f"{app.tools[0].app}.{name}": goal for app in apps for name, goal in app.goals.items()
        },
    )


@lru_cache(maxsize=16)
def _without_rows(schema: str) -> bytes:
    """Return a database with the empty tables of a schema; cached, because building it is slow."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(schema)
        empty = connection.serialize()
    with closing(State(empty, "")) as state:
        return state.snapshot()
