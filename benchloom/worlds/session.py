"""Call tools on a copy of a world's state, record their effects, and compute state digests."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from json.encoder import encode_basestring_ascii
from typing import Self

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.state import Cell, RefusalKind, RefusedError, Row, State
from benchloom.worlds.world import World


def digest_of(tables: Mapping[str, str]) -> str:
    """Combine the digests of tables into the digest of a state."""
    lines = [f"{name} {digest}" for name, digest in sorted(tables.items())]
    return f"state:sha256:{_sha256(lines)}"


def _sha256(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join([*lines, ""]).encode()).hexdigest()


def _canonical(cell: Cell, is_set: bool) -> str:
    if isinstance(cell, str):
        text = cell if cell.isascii() else unicodedata.normalize("NFC", cell)
        return encode_basestring_ascii(_sorted(text) if is_set else text)
    if cell is None:
        return "null"
    if isinstance(cell, float) and not cell.is_integer():
        return f'"{cell!r}"'
    return str(int(cell))


def _sorted(text: str) -> str:
    items = json.loads(text)
    return json.dumps(sorted(json.dumps(member, sort_keys=True) for member in items))


MAX_CALLS = 10_000
"""The maximum number of calls in a session; later calls are refused."""


class Effect(msgspec.Struct, frozen=True, gc=False):
    """A row that a call added, changed or removed (`kind`); `key` is its key as a JSON list."""

    kind: str
    table: str
    key: str


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a call: a `result` with `effects`, or the kind of a refusal in `refused`."""

    result: Plain = None
    refused: RefusalKind | None = None
    message: str = ""
    effects: tuple[Effect, ...] = ()


class Session:
    """A copy of a world's state on which tools can be called, closed by its `with` block.

    `start` is a snapshot of a state of the same world, by default the initial state. `counted`
    contains the names of the tables that tools can change.
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
        outcome = self._call(name, arguments)
        self.log.append(outcome)
        return outcome

    def _call(self, name: str, arguments: Mapping[str, Plain]) -> Outcome:
        if len(self.log) >= MAX_CALLS:
            return Outcome(
                refused="unavailable", message=f"the session has used all of its {MAX_CALLS} calls"
            )
        tool = self.world.tools.get(name)
        if tool is None:
            return Outcome(refused="unknown_tool", message=f"unknown tool {name[:200]!r}")
        self._state.mark()
        try:
            result = tool.call(self._state, arguments)
        except RefusedError as error:
            self._state.undo()
            return Outcome(refused=error.kind, message=error.message)
        except BaseException:  # an interrupt must not leave half a call either
            self._state.undo()
            raise
        effects = tuple(Effect(*row_change) for row_change in self._state.keep())
        return Outcome(result, effects=effects)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Roll back the calls inside the block at its end; blocks may be nested."""
        before = len(self.log)
        self._state.mark()
        try:
            yield
        finally:
            self._state.undo()
            del self.log[before:]

    def digest(self) -> str:
        """Return the digest of all tables that the tools can change."""
        return digest_of(self.table_digests())

    def table_digests(self) -> dict[str, str]:
        """Return a mapping from each table that the tools can change to the digest of its rows."""
        return {name: self.table_digest(name) for name in self.counted}

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table, sorted by key."""
        keys = ", ".join(f'"{name}"' for name in self._state.columns(table)[1])
        return [*self._state.rows(f'SELECT * FROM "{table}" ORDER BY {keys}')]

    def row(self, table: str, key: str) -> Row | None:
        """Return the row with a key (a JSON list of the values of the key columns), or None."""
        _, columns = self._state.columns(table)
        key_values = dict(zip(columns, msgspec.json.decode(key, type=list[Cell]), strict=True))
        try:
            return self._state.row(table, **key_values)
        except RefusedError:
            return None

    def table_digest(self, table: str) -> str:
        """Return the hexadecimal digest of a table, which is independent of the order of rows.

        Rows and columns are sorted. Equal numbers have the same form (25 and 25.0), texts are in
        Unicode form NFC, and the order of JSON lists in `World.sets` is ignored. Each row is a JSON
        list of its cells. The list is written cell by cell, because a state has thousands of rows,
        each score reads all of them, and an encoder call per row takes four times as long.
        """
        names = sorted(self._state.columns(table)[0])
        are_sets = [f"{table}.{name}" in self.world.sets for name in names]
        rows = self._state.cells(table, names)
        lines = [f"[{','.join(map(_canonical, row, are_sets))}]" for row in rows]
        return _sha256([json.dumps([table, names, len(lines)]), *sorted(lines)])

    def snapshot(self) -> bytes:
        """Return the state of the world as bytes, from which another session can be opened."""
        return self._state.snapshot()
