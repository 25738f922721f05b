"""What a world is: tables, tools and a start."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cached_property, lru_cache

from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool


class World:
    """Tools over tables.

    Args:
        name: its name.
        now: the clock, an ISO 8601 time with its zone.
        schema: SQL that makes the tables, STRICT, each with a primary key.
        fill: adds the rows of the start.
        tools: its tools; no two have one name.
        frozen: tables that no tool changes and that no digest counts.
        sets: columns ("table.column") with JSON lists whose order says nothing.
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
    ) -> None:
        self.name = name
        self.now = now
        self.schema = schema
        self.frozen = frozenset(frozen)
        self.sets = frozenset(sets)
        self._fill = fill
        self.tools = {f"{tool.app}.{tool.name}": tool for tool in tools}
        if len(self.tools) != len(tools):
            raise ValueError(f"{name}: two tools of one name")

    @cached_property
    def start(self) -> bytes:
        """The state before any call, the same bytes on every machine with one version of SQLite."""
        with closing(State(_without_rows(self.schema), self.now)) as state:
            state.mark()
            self._fill(state)
            state.keep()
            return state.snapshot()


@lru_cache(maxsize=16)
def _without_rows(schema: str) -> bytes:
    """The tables of a schema; a suite of many starts has one, and making it takes the longest."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(schema)
        empty = connection.serialize()
    with closing(State(empty, "")) as state:
        return state.snapshot()
