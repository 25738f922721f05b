"""Read tables of an SQLite database from bytes in memory, with limits on rows and work.

The database is untrusted. Only ordinary tables are read (a view could run for ever), only
columns that actually exist are requested, and a budget limits the virtual machine steps.
"""

import sqlite3
from collections.abc import Iterator

from benchloom.storage.inputs.nested import SQLITE_MAGIC
from parsers.errors import ParseError

_STEPS = 50_000
_MAX_STEPS = 20_000  # 1e9 virtual machine steps, several seconds
MAX_ROWS = 500_000
MAX_VALUE_BYTES = 8 * 1024 * 1024
_WAL_MARKS = slice(18, 20)
_FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError)
Row = dict[str, object]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


class Database:
    """A database in memory that can only be read; the caller must close it."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(SQLITE_MAGIC) or len(data) < 512:
            raise ParseError("bad_database", "the file is not an SQLite database")
        self.had_write_ahead_log = data[_WAL_MARKS] == b"\x02\x02"
        if self.had_write_ahead_log:
            # SQLite cannot open a log in memory; without the log's mark it reads only the database.
            data = data[:18] + b"\x01\x01" + data[20:]
        self._left = _MAX_STEPS
        # Many rows of a damaged file may share the same pages of values.
        self._bytes_left = 2 * len(data)
        self._connection = sqlite3.connect(":memory:")
        self._connection.text_factory = _text
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        try:
            self._connection.deserialize(data)
            self._connection.set_progress_handler(self._count, _STEPS)
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._columns = self._read_columns()
        except _FAULTS as error:
            self._connection.close()
            raise ParseError("bad_database", f"SQLite: {error}") from error

    def _count(self) -> int:
        self._left -= 1
        return int(self._left < 0)

    def _read_columns(self) -> dict[str, tuple[str, ...]]:
        names = self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).fetchall()
        columns: dict[str, tuple[str, ...]] = {}
        for (name,) in names:
            quoted = str(name).replace('"', '""')
            rows = self._connection.execute(f'PRAGMA table_xinfo("{quoted}")').fetchall()
            # Generated columns would run expressions from the file.
            columns[str(name)] = tuple(str(row[1]) for row in rows if row[6] == 0)
        return columns

    @property
    def tables(self) -> frozenset[str]:
        """Return the names of the ordinary tables."""
        return frozenset(self._columns)

    def rows(self, table: str, columns: tuple[str, ...], order: str = "rowid") -> Iterator[Row]:
        """Yield the rows of a table with the requested columns; missing columns are None.

        Raises:
            ParseError: the database is damaged.
        """
        present = [column for column in columns if column in self._columns.get(table, ())]
        if not present:
            return
        missing = dict.fromkeys(column for column in columns if column not in present)
        names = ", ".join(f'"{column}"' for column in present)
        query = f'SELECT {names} FROM "{table}" ORDER BY {order}'  # noqa: S608 - names are ours
        try:
            for count, row in enumerate(self._connection.execute(query)):
                self._spend(table, count, row)
                yield {**missing, **dict(zip(present, row, strict=True))}
        except _FAULTS as error:
            if "rowid" in str(error) and order == "rowid":
                yield from self.rows(table, columns, order=f'"{present[0]}"')
                return
            raise ParseError("bad_database", f"SQLite, table {table}: {error}") from error

    def _spend(self, table: str, count: int, row: tuple[object, ...]) -> None:
        # More rows or content than an intact file of its size can have.
        self._bytes_left -= sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if count >= MAX_ROWS or self._bytes_left < 0:
            raise ParseError(
                "too_many_nodes",
                f"SQLite, table {table}: more content than a file of this size can have",
            )

    def has(self, table: str, column: str) -> bool:
        """Whether a table has a column."""
        return column in self._columns.get(table, ())

    def close(self) -> None:
        """Close the database and free its memory."""
        self._connection.close()
