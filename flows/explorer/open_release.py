"""Open a release, whose tables become views in a DuckDB that can read no other files.

The in-memory database is locked before the first query, and can read only the release's own
table files. Tables with damaged files are reported; the other tables are readable.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.core.errors import RunError
from benchloom.release.manifest import Manifest, ReleaseFile, read_manifest
from benchloom.storage.tables import open_parquet, table_names
from benchloom.storage.tables.definition import load_table
from flows.explorer.database import add_view, connect, identifier, lock
from flows.explorer.errors import AbsentError, DamagedError, TooMuchError, VersionError

R = TypeVar("R", bound=msgspec.Struct)
MEMORY = "160MB"
"""Maximum memory of the database."""
SECONDS = 20.0
"""Maximum seconds of one database query of a page."""
_AT_ONCE = 2
"""Maximum number of parallel queries. Further queries wait, because each needs memory and all
cores."""
_ENDING = 5.0
"""Seconds in which running queries can end when the release is closed."""
_STREAMED = 512
"""Number of rows per batch when all rows are streamed."""
LONG_TEXT = 400
"""Average bytes of a cell above which a column is read only on request."""
_KINDS = {
    "VARCHAR": "text",
    "BOOLEAN": "flag",
    "INTEGER": "number",
    "BIGINT": "number",
    "DOUBLE": "number",
    "VARCHAR[]": "texts",
}


class Column(msgspec.Struct, frozen=True):
    """A column of a table.

    `kind` is text, flag, number, texts (a list of texts) or nested. `is_long` is true if the cells
    are long on average, so that lists of rows omit the column.
    """

    name: str
    kind: str
    description: str
    is_long: bool


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the release; `fault` says why it cannot be read, and is empty if it can."""

    name: str
    rows: int
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    files: tuple[str, ...] = ()
    fault: str = ""

    def column(self, name: str) -> Column | None:
        """Return the column with this name, or None if there is none."""
        return next((column for column in self.columns if column.name == name), None)


class OpenRelease:
    """An open release with its database, for use by several threads."""

    def __init__(self, folder: Path) -> None:
        """Open the release in a folder.

        Raises:
            RunError: there is no release in the folder.
            GateError: its manifest was changed or cannot be read.
        """
        self.folder = folder.resolve()
        self.manifest: Manifest = read_manifest(self.folder)
        self._database = connect(MEMORY)
        self._room = threading.BoundedSemaphore(_AT_ONCE)
        self._guard = threading.Condition()
        self._asking: dict[int, duckdb.DuckDBPyConnection] = {}
        self.tables = {
            name: _open_table(self._database, self.folder, self.manifest, name)
            for name in sorted(self.manifest.tables())
        }
        lock(self._database, [file for table in self.tables.values() for file in table.files])

    def table(self, name: str) -> Table:
        """Return a readable table.

        Raises:
            AbsentError: the release has no table of this name.
            DamagedError: the table cannot be read.
        """
        release_table = self.tables.get(name)
        if release_table is None:
            raise AbsentError(f"this release has no table '{name}'")
        if release_table.fault:
            raise DamagedError(release_table.fault)
        return release_table

    def has(self, *names: str) -> bool:
        """Whether the release has all these tables, and each is readable and not empty."""
        release_tables = [self.tables.get(name) for name in names]
        return all(table is not None and not table.fault and table.rows for table in release_tables)

    def ask(self, question: str, values: Sequence[object] = ()) -> list[dict[str, Any]]:
        """Run one of our own SQL statements; return each row as a dict with names of columns.

        Raises:
            DamagedError: a file cannot be read.
            TooMuchError: the statement took too long.
        """
        with self._room, self._cursor() as cursor:
            timer = threading.Timer(SECONDS, cursor.interrupt)
            timer.start()
            try:
                cursor.execute(question, list(values))
                names = [column[0] for column in cursor.description or ()]
                return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
            finally:
                timer.cancel()

    def stream(self, question: str, values: Sequence[object] = ()) -> Iterator[pa.RecordBatch]:
        """Run one of our own SQL statements; yield its rows in batches, without a time limit.

        The first batch has the columns but no rows.

        Raises:
            DamagedError: a file cannot be read.
            TooMuchError: the statement needs too much memory.
        """
        # Not limited by `_room`: pages must not wait for a slow download.
        with self._cursor() as cursor:
            reader = cursor.sql(question, params=list(values)).to_arrow_reader(_STREAMED)
            yield pa.RecordBatch.from_pylist([], reader.schema)
            yield from reader

    def add_uses(self, batches: Iterable[pa.Table]) -> None:
        """Create the table `uses`, which says which APIs each shortcut uses, from batches of rows.

        A batch has the columns api, shortcut_id and row_group. The table contains hashes of the
        ids.

        Raises:
            DamagedError: a file cannot be read.
            TooMuchError: memory is exhausted.
        """
        with self._cursor() as cursor:
            cursor.execute("CREATE TABLE uses (api INTEGER, key UBIGINT, row_group INTEGER)")
            for batch in batches:
                cursor.register("batch", batch)
                cursor.execute(
                    "INSERT INTO uses SELECT api, hash(shortcut_id), row_group FROM batch"
                )
                cursor.unregister("batch")

    def close(self) -> None:
        """Close the database and interrupt running queries."""
        with self._guard:
            for cursor in self._asking.values():
                cursor.interrupt()
            self._guard.wait_for(lambda: not self._asking, _ENDING)
            with suppress(duckdb.Error):  # queries that ignore the interrupt end with the process
                self._database.close()

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for a single query, because concurrent queries on one cursor would fail.

        Raises:
            DamagedError: a file cannot be read.
            TooMuchError: the query was interrupted, or needs too much memory.
        """
        with self._guard:
            cursor = self._database.cursor()
            self._asking[id(cursor)] = cursor
        try:
            yield cursor
        except duckdb.InterruptException as error:
            raise TooMuchError(f"no answer within {SECONDS:.0f} seconds") from error
        except duckdb.OutOfMemoryException as error:
            raise TooMuchError("the query exceeds the explorer's memory limit") from error
        except (duckdb.Error, pa.ArrowException, UnicodeDecodeError, OSError) as error:
            raise DamagedError(_error_text(error)) from error
        finally:
            with self._guard:
                cursor.close()
                del self._asking[id(cursor)]
                self._guard.notify_all()


def typed(rows: Sequence[Mapping[str, Any]], record: type[R], table: str) -> list[R]:
    """Return rows of a table as records.

    Raises:
        VersionError: the rows have the columns of another version of benchloom.
    """
    try:
        return [msgspec.convert(dict(row), record) for row in rows]
    except msgspec.ValidationError as error:
        raise VersionError(table, error) from error


def _open_table(
    database: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest, name: str
) -> Table:
    files = sorted(
        (manifest_file for manifest_file in manifest.files if manifest_file.table == name),
        key=lambda manifest_file: manifest_file.path,
    )
    definition = load_table(name) if name in table_names() else None
    empty = Table(
        name=name,
        rows=manifest.tables()[name],
        description=definition.description if definition else "",
        key=(definition.key or definition.sort) if definition else (),
    )
    try:
        stored: dict[str, int] = {}
        for file in files:
            with open_parquet(_whole_file(folder, file)) as opened:
                for column, size in _sizes(opened.metadata).items():
                    stored[column] = stored.get(column, 0) + size
        paths = tuple(str(folder / file.path) for file in files)
        add_view(database, name, paths)
        columns = database.execute(f"DESCRIBE {identifier(name)}").fetchall()
    except (RunError, OSError, duckdb.Error) as error:
        return msgspec.structs.replace(empty, fault=_error_text(error))
    descriptions = (
        {defined_column.name: defined_column.description for defined_column in definition.columns}
        if definition
        else {}
    )
    return msgspec.structs.replace(
        empty,
        files=paths,
        key=tuple(key for key in empty.key if key in {column[0] for column in columns}),
        columns=tuple(
            Column(
                name=column,
                kind=_KINDS.get(kind, "nested"),
                description=descriptions.get(column, ""),
                is_long=stored.get(column, 0) > LONG_TEXT * max(empty.rows, 1),
            )
            for column, kind, *_ in columns
        ),
    )


def _whole_file(folder: Path, file: ReleaseFile) -> Path:
    """Return the path of a release's file; raise `RunError` if it is missing or of another size."""
    path = folder / file.path
    if not path.is_file():
        raise RunError(f"{file.path} is missing; copy the release again")
    if path.stat().st_size != file.bytes:
        raise RunError(f"{file.path} differs in size from its manifest; copy the release again")
    return path


def _sizes(metadata: pq.FileMetaData) -> dict[str, int]:
    column_sizes: dict[str, int] = {}
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for index in range(group.num_columns):
            chunk = group.column(index)
            name = chunk.path_in_schema.partition(".")[0]
            column_sizes[name] = column_sizes.get(name, 0) + chunk.total_uncompressed_size
    return column_sizes


def _error_text(error: Exception) -> str:
    return " ".join(str(error).split())[:400] or type(error).__name__
