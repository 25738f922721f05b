"""Give the checks of a release (gates) access to its tables: rows, columns and ranges of rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec
import pyarrow as pa

from benchloom.release.descriptions import ReleaseTables
from benchloom.release.manifest import Manifest, ReleaseFile
from benchloom.storage.stages import plan_groups
from benchloom.storage.tables import load_table, open_parquet, records_in, row_values, table_names

MAX_ROWS = 1 << 17
"""Columns of larger tables are not cached. Columns of this many rows take about 100 MB."""
_FURTHER = {
    "planning_paths": ("split",),
    "queries": ("kept", "judged", "category", "generator"),
    "rejected": ("reason", "digest", "source_uri"),
    "shortcuts": ("near_duplicate_cluster", "evaluation_reasons", "length"),
    "verdicts": ("kept",),
}
"""Columns that gates compare, in addition to keys, foreign keys and split columns."""


@cache
def _compared_columns(table: str) -> frozenset[str]:
    definition = load_table(table)
    column_names = {*definition.key, *definition.sort, *_FURTHER.get(table, ())}
    column_names.update(definition.splits.columns() if definition.splits else ())
    for reference in definition.references:
        column_names.update(reference.columns, reference.where)
    for other in table_names():
        for reference in load_table(other).references:
            column_names.update(reference.to.get(table, ()))
    return frozenset(name for name in column_names if "." not in name)


PIECE_BYTES = 16 * 1024 * 1024
"""Approximate uncompressed size of a range of rows that one part of a check reads."""
BATCH_ROWS = 4096
R = TypeVar("R", bound=msgspec.Struct)
Choice = Callable[[pa.RecordBatch], pa.Array]
"""A function that returns, for each row of a batch, whether the row is selected."""


class Piece(NamedTuple):
    """A range of a table's rows: consecutive row groups of a Parquet file.

    `bytes` is the uncompressed size of these groups. `sha256` is the digest of the whole file.
    """

    table: str
    path: Path
    sha256: str
    groups: tuple[int, ...]
    bytes: int


@dataclass(frozen=True, eq=False)
class GateView:
    """A release as its checks (gates) read it. The files were already compared with the manifest.

    Two views are equal only if they are the same object.
    """

    folder: Path
    manifest: Manifest
    tables: ReleaseTables
    # Shared by gates: opening the file of a wide table takes longer than reading its keys.
    _compared: dict[Path, pa.Table] = field(default_factory=dict, init=False)
    _pieces: dict[str, list[Piece]] = field(default_factory=dict, init=False)

    def has(self, *names: str) -> bool:
        """Return whether the release has rows in all of these tables."""
        return all(self._rows.get(name) for name in names)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return self.tables.rows()

    def files_of(self, table: str) -> list[ReleaseFile]:
        """Return the files of a table, in the order of the manifest."""
        return self._files.get(table, [])

    @cached_property
    def _files(self) -> dict[str, list[ReleaseFile]]:
        files_by_table: dict[str, list[ReleaseFile]] = {}
        for file in self.tables.files:
            files_by_table.setdefault(file.table or "", []).append(file)
        return files_by_table

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield batches of a table's rows with only these columns.

        Nested columns are named by dotted paths.
        """
        for file in self.tables.table_files(table):
            cached = self.compared(file.path, table, columns)
            if cached is not None:
                yield from cached.to_batches(BATCH_ROWS)
            else:
                yield from file.batches(columns, BATCH_ROWS)

    def compared(self, path: Path, table: str, columns: Sequence[str]) -> pa.Table | None:
        """Return columns of a table file from the cache, or None if these columns are not cached.

        The columns that several checks compare are cached if the table is small, so that these
        checks read them from the file only once.
        """
        cached = _compared_columns(table)
        if self._rows.get(table, 0) > MAX_ROWS or not cached.issuperset(columns):
            return None
        if path not in self._compared:
            with open_parquet(path) as file:
                if not file.schema_arrow.equals(load_table(table).arrow_schema()):
                    return None
                self._compared[path] = file.read(columns=sorted(cached), use_threads=False)
        return self._compared[path].select(list(columns))

    def forget(self) -> None:
        """Empty the cache of columns. Call this when all checks have run."""
        self._compared.clear()

    def columns(self, table: str, columns: Sequence[str]) -> pa.Table:
        """Return columns of all rows of a table.

        The result is empty if the release lacks the table.
        """
        schema = load_table(table).arrow_schema()
        fields = pa.schema([schema.field(name) for name in columns])
        batches = (batch.select(columns) for batch in self.batches(table, columns))
        return pa.Table.from_batches(batches, fields)

    def rows(
        self, table: str, columns: Sequence[str], where: Choice | None = None
    ) -> Iterator[tuple[object, ...]]:
        """Yield a tuple per row with the values of these top-level columns.

        `where` filters batches before their rows become Python objects. Yields nothing if the
        release lacks the table.
        """
        for read in self.batches(table, columns):
            batch = read if where is None else read.filter(where(read))
            yield from row_values(batch, columns)

    def pieces(self, table: str) -> list[Piece]:
        """Divide a table into ranges of rows. The division depends only on the table's files.

        Returns an empty list if the release lacks the table.
        """
        if table not in self._pieces:
            self._pieces[table] = [
                Piece(table, file.path, file.sha256, groups, size)
                for file in self.tables.table_files(table)
                for groups, size in plan_groups(file.path, PIECE_BYTES)
            ]
        return list(self._pieces[table])

    def records(self, piece: Piece, record: type[R]) -> Iterator[R]:
        """Yield the rows of a range as typed records."""
        return records_in(piece.path, piece.table, record, row_groups=piece.groups)

    def values(self, table: str, column: str) -> set[object]:
        """Return the distinct values of a column, without null."""
        return {value for (value,) in self.rows(table, [column]) if value is not None}


Part = Callable[[GateView], Iterator[str]]
"""A part of a release check. It can be pickled: a function of a module, or a partial of one."""


@runtime_checkable
class Sized(Protocol):
    """A part of a release check that reports the size of its data, to show progress."""

    @property
    def bytes(self) -> int:
        """The size in bytes of the rows (uncompressed) or of the document that the part reads."""


def kilobytes_of(part: object) -> int:
    """Return the size of the data of a part in kB, or 1 if the part does not report its size."""
    return 1 + (part.bytes // 1024 if isinstance(part, Sized) else 0)


def view_gate(folder: Path, manifest: Manifest) -> GateView:
    """Return the view of a release folder that all checks (gates) share."""
    files = tuple(file for file in manifest.files if file.table is not None)
    return GateView(folder, manifest, ReleaseTables(folder, files))
