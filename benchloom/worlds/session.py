"""One run in a world: calls, their results and effects, and the digest of the state."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.digests import digest_of, table_digest
from benchloom.worlds.state import Cell, RefusalKind, RefusedError, Row, State
from benchloom.worlds.world import World

MAX_CALLS = 10_000
"""Calls of one session; the next ones are refused."""


class Effect(msgspec.Struct, frozen=True, gc=False):
    """One row that a call changed: `kind` is added, changed or removed, `key` a JSON list."""

    kind: str
    table: str
    key: str


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a call: `result`, or in `refused` the reason why there is none."""

    result: Plain = None
    refused: RefusalKind | None = None
    message: str = ""
    effects: tuple[Effect, ...] = ()


class Session:
    """A world with its own state; a context manager that closes it.

    `start` is a snapshot of this world, by default the world's start; `counted` are the tables
    that tools can change.
    """

    def __init__(self, world: World, start: bytes | None = None) -> None:
        self.world = world
        self.log: list[Outcome] = []
        self._state = State(world.start if start is None else start, world.now)
        self.counted = [name for name in self._state.tables() if name not in world.frozen]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory of the state."""
        self._state.close()

    def call(self, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        """Call a tool by its full name (`app.tool`); a refused call changes nothing."""
        outcome = self._called(name, arguments)
        self.log.append(outcome)
        return outcome

    def _called(self, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        if len(self.log) >= MAX_CALLS:
            return Outcome(refused="unavailable", message=f"over {MAX_CALLS} calls")
        tool = self.world.tools.get(name)
        if tool is None:
            return Outcome(refused="unknown_tool", message=f"no tool is called {name[:200]!r}")
        self._state.mark()
        try:
            result = tool.call(self._state, arguments)
        except RefusedError as error:
            self._state.undo()
            return Outcome(refused=error.kind, message=error.message)
        except BaseException:  # neither may an interrupt leave half a call; raised again
            self._state.undo()
            raise
        effects = tuple(Effect(*row_change) for row_change in self._state.keep())
        return Outcome(result, effects=effects)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Roll back the calls made inside the block at its end; blocks may be nested."""
        before = len(self.log)
        self._state.mark()
        try:
            yield
        finally:
            self._state.undo()
            del self.log[before:]

    def digest(self) -> str:
        """Return the digest of all tables that the tools can change."""
        return digest_of({name: self.table_digest(name) for name in self.counted})

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table, in the order of their keys."""
        keys = ", ".join(f'"{name}"' for name in self._state.columns(table)[1])
        return [*self._state.rows(f'SELECT * FROM "{table}" ORDER BY {keys}')]  # noqa: S608  names of the code

    def row(self, table: str, key: str) -> Row | None:
        """Return the row with a key (a JSON list, as in effects); None if there is no row."""
        _, columns = self._state.columns(table)
        named = dict(zip(columns, msgspec.json.decode(key, type=list[Cell]), strict=True))
        try:
            return self._state.row(table, **named)
        except RefusedError:
            return None

    def table_digest(self, table: str) -> str:
        """The digest of one table, in hex; see `benchloom.worlds.digests.digest_of`."""
        return table_digest(self._state, table, self.world.sets)

    def snapshot(self) -> bytes:
        """Return the state as bytes, to open another session of the same world."""
        return self._state.snapshot()
