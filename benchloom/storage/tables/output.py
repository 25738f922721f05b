"""Write rows of several tables to the files of a stage, and count rows and rejected objects."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import pyarrow as pa

from benchloom.core.records import Rejected, rejected_order
from benchloom.storage.tables.reader import TakenRow, row_groups, table_parts
from benchloom.storage.tables.writer import TableWriter, part_writer

REJECTED = "rejected"


class Tables:
    """Writes rows of several tables to files in a folder, one file per table, and counts them.

    Args:
        folder: the folder.
        tables: the tables that get a file even without rows; other tables get a file on demand.
        path: returns the path of a table's file.
        compression: the compression of all tables except `rejected`: "zstd" for tables that are
            published, "lz4" for tables that the next stage reads and writes again.
    """

    def __init__(
        self,
        folder: Path,
        tables: Sequence[str],
        path: Callable[[str], Path],
        compression: str = "zstd",
    ) -> None:
        self.folder = folder
        self.path = path
        self._always = tables
        self._compression = compression
        self._writers: dict[str, TableWriter] = {}
        self._counts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._stack = ExitStack()

    def add(self, table: str, row: msgspec.Struct | TakenRow, size: int = 0) -> None:
        """Write a row. `size` is its approximate number of bytes, used to size row groups."""
        self._writer(table).add(row, size)

    def add_all(self, table: str, rows: Iterable[msgspec.Struct]) -> None:
        """Write rows to a table, which gets a file even if there are no rows."""
        writer = self._writer(table)
        for row in rows:
            writer.add(row)

    def reject(self, row: Rejected) -> None:
        """Write a row to the table `rejected`, which says why an object has no row.

        The object is counted under its reason.
        """
        self.add(REJECTED, row)
        self._reasons[row.reason] += 1

    def reject_sorted(self, rows: Iterable[Rejected], earlier: Iterable[Rejected] = ()) -> None:
        """Write rejected rows in sorted order, together with those of earlier stages.

        Args:
            rows: the rejected rows of this stage, which are counted.
            earlier: the rejected rows of earlier stages, which are not counted.
        """
        own = list(rows)
        every = sorted([*own, *earlier], key=rejected_order)
        self.add_all(REJECTED, every)
        self._reasons.update(row.reason for row in own)

    def add_reasons(self, reasons: Mapping[str, int]) -> None:
        """Count rejected objects whose rows other code wrote.

        `reasons` maps a reason to a number.
        """
        self._reasons.update(reasons)

    def add_rows(self, table: str, rows: pa.Table) -> None:
        """Write rows that already have the table's schema, as one row group."""
        self._writer(table).add_table(rows)

    def copy(self, table: str, folder: Path) -> None:
        """Copy all rows of a table from another stage's folder, unchanged."""
        writer = self._writer(table)
        for part in table_parts(folder, table):
            for rows in row_groups(part):
                writer.add_table(rows)

    def wrote(self, table: str, rows: int) -> None:
        """Count rows of a table whose file at `path(table)` was written by other code."""
        self._counts[table] += rows

    def rows(self) -> dict[str, int]:
        """Return a mapping from table to the number of its rows."""
        written = {table: writer.rows for table, writer in self._writers.items()}
        names = sorted({*written, *self._counts})
        return {name: written.get(name, 0) + self._counts[name] for name in names}

    def reasons(self) -> dict[str, int]:
        """Return a mapping from reason to the number of objects that this stage rejected."""
        return dict(sorted(self._reasons.items()))

    def close(self) -> None:
        """Finish all files and move them to their final paths.

        Only then does `rows` count all rows.
        """
        self._stack.close()

    def _writer(self, table: str) -> TableWriter:
        if table not in self._writers:
            compression = "zstd" if table == REJECTED else self._compression
            writer = part_writer(table, self.path(table), compression)
            self._writers[table] = self._stack.enter_context(writer)
        return self._writers[table]

    def __enter__(self) -> Self:
        for table in self._always:
            self._writer(table)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)
