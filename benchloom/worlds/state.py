"""Keep the state of a world in SQLite tables in memory, with steps that can be undone."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import product
from typing import Literal, TypeAlias

from benchloom.core.identity import digest_of_parts, hex_of

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Cell]
MAX_ADDED = 8 * 1024 * 1024
"""The number of bytes by which a state may grow; larger changes are refused."""
_ID_DIGITS = 12
_NOTED = "noted_effects"
_RULES = {
    "UNIQUE": "there is already an entry with this {}",
    "FOREIGN KEY": "other entries refer to it, or it refers to an entry that does not exist",
    "NOT NULL": "the {} is missing",
}
"""Messages for violated constraints of a table, with a placeholder for the names of columns."""
_EVENTS = (("added", "INSERT", "NEW"), ("changed", "UPDATE", "NEW"), ("removed", "DELETE", "OLD"))

RefusalKind: TypeAlias = Literal[
    "unknown_tool", "invalid_argument", "not_found", "conflict", "permission", "unavailable"
]
"""The kinds of refusals; `unavailable` means, for example, that something is sold out or closed."""


class RefusedError(Exception):
    """Raised if a tool refuses a call; the state is unchanged."""

    def __init__(self, kind: RefusalKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class State:
    """The tables of a session; `now` is the clock (ISO 8601), which does not advance.

    The state is loaded from the bytes of the initial state, so that opening a session does not
    rebuild it.
    """

    def __init__(self, start: bytes, now: str) -> None:
        self.now = now
        self._tables: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=64)
        self._connection.deserialize(start)
        ((page_size,),) = self._connection.execute("PRAGMA page_size")
        most = (len(start) + MAX_ADDED) // page_size
        self._connection.execute(f"PRAGMA max_page_count = {most}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        self._connection.execute("PRAGMA trusted_schema = OFF")
        if not self.rows("SELECT 1 FROM main.sqlite_schema WHERE name = ?", _NOTED):
            self._watch()

    def close(self) -> None:
        """Free the memory of the database."""
        self._connection.close()

    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables, sorted."""
        query = (
            "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> ? ORDER BY name"
        )
        return tuple(name for (name,) in self._connection.execute(query, (_NOTED,)))

    def columns(self, table: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the column names of a table, and the names of its key columns in order."""
        if table not in self._tables:
            with closing(
                self._connection.execute(f"PRAGMA main.table_info({_name(table)})")
            ) as rows:
                column_rows = list(rows)
            keyed = sorted((row[5], row[1]) for row in column_rows if row[5])
            names = tuple(row[1] for row in column_rows)
            self._tables[table] = (names, tuple(name for _, name in keyed))
        return self._tables[table]

    def rows(self, query: str, *values: Cell) -> list[dict[str, Cell]]:
        """Return the rows of an SQL query; `values` are bound to its question marks.

        Raises:
            RefusedError: a value is of a type that no table can hold.
        """
        try:
            with closing(self._connection.execute(query, values)) as cursor:
                names = [column[0] for column in cursor.description]
                return [dict(zip(names, row, strict=True)) for row in cursor]
        except (OverflowError, UnicodeEncodeError) as error:
            raise RefusedError(
                "invalid_argument", f"the value cannot be used in a search: {error}"
            ) from error

    def cells(self, table: str, columns: Sequence[str]) -> list[tuple[Cell, ...]]:
        """Return some columns of all rows of a table, in any order."""
        names = ", ".join(map(_name, columns))
        return self._connection.execute(f"SELECT {names} FROM {_name(table)}").fetchall()

    def row(self, table: str, **key: Cell) -> dict[str, Cell]:
        """Return the row of a table whose key columns have the values in `key`.

        Raises:
            RefusedError: there is no such row.
        """
        where = " AND ".join(f"{_name(name)} IS ?" for name in key)
        matches = self.rows(f"SELECT * FROM {_name(table)} WHERE {where}", *key.values())
        if not matches:
            key_text = ", ".join(f"{name} {value!r}" for name, value in key.items())
            raise RefusedError("not_found", f"the table {table} has no row with {key_text}")
        return matches[0]

    def add(self, table: str, **values: Cell) -> None:
        """Add a row to a table; `values` maps the names of columns to their values.

        Raises:
            RefusedError: the row already exists, or refers to a row that does not exist.
        """
        names = ", ".join(map(_name, values))
        marks = ", ".join("?" * len(values))
        self._write(
            f"INSERT INTO {_name(table)} ({names}) VALUES ({marks})", tuple(values.values())
        )

    def change(self, table: str, key: Row, **values: Cell) -> None:
        """Change columns of the row with a key; `values` maps their names to the new values.

        Raises:
            RefusedError: there is no such row, or a constraint of the table forbids the change.
        """
        sets = ", ".join(f"{_name(name)} = ?" for name in values)
        where = " AND ".join(f"{_name(name)} IS ?" for name in key)
        self.row(table, **key)
        self._write(
            f"UPDATE {_name(table)} SET {sets} WHERE {where}", (*values.values(), *key.values())
        )

    def remove(self, table: str, **key: Cell) -> None:
        """Remove the row of a table with a key.

        Raises:
            RefusedError: there is no such row, or another row refers to it.
        """
        self.row(table, **key)
        where = " AND ".join(f"{_name(name)} IS ?" for name in key)
        self._write(f"DELETE FROM {_name(table)} WHERE {where}", tuple(key.values()))

    def new_id(self, table: str, *content: Cell) -> str:
        """Return an id derived from a row's content; equal rows get different ids."""
        _, key = self.columns(table)
        query = f"SELECT 1 FROM {_name(table)} WHERE {_name(key[0])} = ?"

        def row_id(number: int) -> str:
            parts = [table, *(repr(cell) for cell in content), str(number)]
            return hex_of(digest_of_parts("row", parts))[:_ID_DIGITS]

        last, free = -1, 0
        while self.rows(query, row_id(free)):
            last, free = free, 2 * free + 1
        while free - last > 1:  # binary search: thousands of rows may be equal
            middle = (last + free) // 2
            last, free = (middle, free) if self.rows(query, row_id(middle)) else (last, middle)
        return row_id(free)

    def mark(self) -> None:
        """Begin a step, which `keep` ends and `undo` rolls back."""
        self._connection.execute("SAVEPOINT step")

    def keep(self) -> list[tuple[str, str, str]]:
        """End a step; return its changes as kind (added, changed, removed), table and key."""
        rows = self._connection.execute(f"SELECT * FROM {_NOTED} ORDER BY place")
        changes = [(kind, name, self._key(name, cells)) for _, kind, name, *cells in rows]
        self._connection.execute(f"DELETE FROM {_NOTED}")
        self._connection.execute("RELEASE step")
        return changes

    def undo(self) -> None:
        """Undo all changes since the last `mark`, and end its step."""
        self._connection.execute("ROLLBACK TO step")
        self._connection.execute("RELEASE step")

    def snapshot(self) -> bytes:
        """Return the whole state as bytes, from which a session can be opened."""
        return self._connection.serialize()

    def _write(self, command: str, values: Sequence[Cell]) -> None:
        try:
            self._connection.execute(command, values)
        except sqlite3.IntegrityError as error:
            raise RefusedError("conflict", _fault(error)) from error
        except (OverflowError, UnicodeEncodeError) as error:
            raise RefusedError(
                "invalid_argument", f"the value cannot be stored: {error}"
            ) from error
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                raise
            raise RefusedError(
                "unavailable", "the world is full: its database has reached its maximum size"
            ) from error

    def _key(self, table: str, cells: Sequence[Cell]) -> str:
        _, key = self.columns(table)
        return json.dumps(cells[: len(key)], ensure_ascii=False, separators=(",", ":"))

    def _watch(self) -> None:
        """Add database triggers that record every row that is added, changed or removed.

        The triggers are stored in the state itself, because creating them again takes longer than
        all other steps of opening the state. Triggers of a schema that SQLite does not trust cannot
        call SQLite's JSON functions, so they store the columns of the key one by one.
        """
        keys = {name: self.columns(name)[1] for name in self.tables()}
        keys_ = [f"k{position}" for position in range(max(map(len, keys.values()), default=0))]
        columns = "place INTEGER PRIMARY KEY, kind TEXT, name TEXT"
        key_columns = "".join(f", {column} ANY" for column in keys_)
        script = [f"CREATE TABLE {_NOTED} ({columns}{key_columns}) STRICT"]
        for (table, key), (kind, event, side) in product(keys.items(), _EVENTS):
            names = ", ".join(["kind", "name", *keys_[: len(key)]])
            cells = ", ".join(
                [f"'{kind}'", f"'{table}'", *(f"{side}.{_name(column)}" for column in key)]
            )
            script.append(
                f"CREATE TRIGGER {_name(f'{table}_{kind}')} AFTER {event} ON {_name(table)} BEGIN "
                f"INSERT INTO {_NOTED} ({names}) VALUES ({cells}); END"
            )
        self._connection.executescript(";\n".join(["BEGIN", *script, "COMMIT;"]))


def _fault(error: sqlite3.IntegrityError) -> str:
    rule, _, columns = str(error).partition(" constraint failed")
    names = [column.rpartition(".")[2].removesuffix("_id") for column in columns.split(", ")]
    message = _RULES.get(rule, "a value is not allowed in this column")
    return message.format(" and ".join(names).replace("_", " "))


def _name(name: str) -> str:
    """Quote a name for SQL; names come from a schema or from code, never from a call."""
    if not name.replace("_", "").isalnum():
        raise ValueError(name)
    return f'"{name}"'
