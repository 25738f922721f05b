"""Read tables: list their files, and read rows as typed records, in order or in any order.

Files stay open while rows are read from them, because opening a file takes time in proportion to
its row groups, which may be thousands. Memory grows only with the number of requested rows.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol, Self, TypeVar

import msgspec
import pyarrow as pa

from benchloom.core.errors import RunError
from benchloom.storage.tables.arrays import record_batch
from benchloom.storage.tables.definition import TableDefinition
from benchloom.storage.tables.files import (
    is_stage_part,
    open_parquet,
    opened,
    set_file,
    typed_faults,
)

R = TypeVar("R", bound=msgspec.Struct)


def table_parts(folder: Path, table: str) -> list[Path]:
    """Return the files of a table in the folder of a stage or release, sorted by name."""
    single = folder / f"{table}.parquet"
    if single.is_file():
        return [single]
    # "*.parquet" would include a file that another process is still writing.
    return sorted(
        path
        for path in (folder / table).glob("*.parquet")
        if is_stage_part(path.name, table) or set_file(path.name) is not None
    )


def is_part(location: str, table: str) -> bool:
    """Return whether a path, perhaps inside an archive, has the form of a file of the table."""
    path = PurePosixPath(location.replace("!", "/"))
    if path.name == f"{table}.parquet":
        return True
    is_table_file = is_stage_part(path.name, table) or set_file(path.name) is not None
    return path.parent.name == table and is_table_file


def read_rows(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Return the rows of a Parquet file, with all or some columns.

    Raises RunError if the file lacks a column.
    """
    with open_parquet(path) as file:
        missing = sorted(set(columns or ()) - set(file.schema_arrow.names))
        if missing:
            columns_there = ", ".join(file.schema_arrow.names)
            raise RunError(
                f"{path}: lacks the columns {', '.join(missing)}; it has {columns_there}"
            )
        return file.read(columns=columns, use_threads=False)


def row_groups(
    path: Path,
    table: str | None = None,
    columns: list[str] | None = None,
    groups: Sequence[int] | None = None,
) -> Iterator[pa.Table]:
    """Yield the row groups of a Parquet file, or only those with the numbers in `groups`.

    With `table`, the file must have the schema of this table.
    """
    with open_parquet(path, table) as file:
        for group in range(file.num_row_groups) if groups is None else groups:
            yield file.read_row_group(group, columns=columns, use_threads=False)


def row_values(
    rows: pa.Table | pa.RecordBatch, columns: Iterable[str]
) -> Iterator[tuple[object, ...]]:
    """Yield a tuple per row with the values of these columns.

    Without columns, nothing is yielded.
    """
    return zip(*(rows.column(name).to_pylist() for name in columns), strict=True)


def with_column(rows: pa.Table, name: str, values: Sequence[object]) -> pa.Table:
    """Replace the values of a column, and return the changed rows. Its position and type remain."""
    index = rows.schema.get_field_index(name)
    field = rows.schema.field(index)
    return rows.set_column(index, field, [pa.array(values, field.type)])


def iter_records(folder: Path, table: str, record: type[R], batch_rows: int = 256) -> Iterator[R]:
    """Yield all rows of a table as typed records, with one batch in memory at a time."""
    for part in table_parts(folder, table):
        yield from records_in(part, table, record, batch_rows=batch_rows)


def records_in(
    part: Path,
    table: str,
    record: type[R],
    *,
    data: bytes | None = None,
    batch_rows: int = 256,
    row_groups: Sequence[int] | None = None,
) -> Iterator[R]:
    """Yield the rows of a Parquet file as typed records, with one batch in memory at a time.

    `data` are the bytes of a file that is in an archive. `row_groups` limits the rows to these
    groups.
    """
    with open_parquet(part, data=data) as file:
        groups = None if row_groups is None else list(row_groups)
        batches = file.iter_batches(
            batch_size=batch_rows,
            row_groups=groups,
            columns=list(record.__struct_fields__),
            use_threads=False,
        )
        for batch in batches:
            yield from records_of(batch.to_pylist(), part, table, record)


def records_of(rows: Sequence[object], part: Path, table: str, record: type[R]) -> list[R]:
    """Convert rows of a table to typed records. Raises RunError if they do not fit the type."""
    try:
        return msgspec.convert(rows, list[record])  # type: ignore[valid-type]  # the type exists only at run time
    except msgspec.ValidationError as error:
        raise RunError(f"{part} is not a file of table {table}: {error}") from error


MAX_OPEN = 4


class OpenPart:
    """An open Parquet file of a table. The row group that was read last stays in memory."""

    def __init__(self, path: Path, table: str | None = None) -> None:
        self._path = path
        self._file = opened(path, table)
        stored = self._file.metadata
        counts = (stored.row_group(group).num_rows for group in range(stored.num_row_groups))
        self.starts = [0, *accumulate(counts)]
        """The number of the first row in each row group, then the number of all rows."""
        self._row_group: tuple[int, pa.Table] | None = None

    def rows(self, group: int) -> pa.Table:
        """Return the rows of the row group with this number."""
        if self._row_group is None or self._row_group[0] != group:
            with typed_faults(self._path):
                self._row_group = group, self._file.read_row_group(group, use_threads=False)
        return self._row_group[1]

    def group_of(self, row: int) -> int:
        """Return the number of the row group that contains this row of the file."""
        return bisect_right(self.starts, row) - 1

    def by_group(
        self, rows: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Group sorted pairs (row of the file, position) by row group.

        Yields (row group, list of pairs); the pairs contain the row's number within the row group.
        """
        index = 0
        while index < len(rows):
            group = self.group_of(rows[index][0])
            first, end = self.starts[group], self.starts[group + 1]
            picked: list[tuple[int, int]] = []
            while index < len(rows) and rows[index][0] < end:
                picked.append((rows[index][0] - first, rows[index][1]))
                index += 1
            yield group, picked

    def close(self) -> None:
        """Close the file."""
        self._row_group = None
        self._file.close()


class OpenParts:
    """The files of a table, which are opened on demand. The most recently used ones stay open."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts
        self._open: dict[int, OpenPart] = {}

    def part(self, number: int) -> OpenPart:
        """Return the file with this number, and open it if it is not open."""
        open_part = self._open.pop(number, None) or OpenPart(self._parts[number])
        while len(self._open) >= MAX_OPEN:
            self._open.pop(next(iter(self._open))).close()
        self._open[number] = open_part
        return open_part

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._open.popitem()[1].close()


class RowPosition(Protocol):
    """The position of a row: the number of its file, and its number in the file."""

    @property
    def part(self) -> int:
        """The number of the file."""

    @property
    def row(self) -> int:
        """The number of the row in the file."""


class TakenRow(NamedTuple):
    """The row at position `at` of `rows`, to be copied to a file with the same schema."""

    rows: pa.Table
    at: int


Row = msgspec.Struct | TakenRow


def batch_of(table: TableDefinition, rows: Sequence[Row]) -> pa.RecordBatch:
    """Return one batch that contains the given records and copied rows, in this order."""
    records = [row for row in rows if isinstance(row, msgspec.Struct)]
    fresh_batch = record_batch(table, records)
    if len(records) == len(rows):
        return fresh_batch
    fresh = pa.Table.from_batches([fresh_batch])
    new = iter(range(len(records)))
    copied_rows = [row if isinstance(row, TakenRow) else TakenRow(fresh, next(new)) for row in rows]
    pieces: list[pa.Table] = []
    # Adjacent copied rows stay adjacent, so that one slice copies them.
    numbered = enumerate(copied_rows)
    for _, group in groupby(
        numbered,
        lambda numbered_row: (id(numbered_row[1].rows), numbered_row[1].at - numbered_row[0]),
    ):
        run = [row for _, row in group]
        pieces.append(run[0].rows.slice(run[0].at, len(run)).cast(fresh_batch.schema))
    (batch,) = pa.concat_tables(pieces).combine_chunks().to_batches()
    return batch


def take_rows(parts: OpenParts, bucket: Sequence[RowPosition]) -> pa.Table:
    """Return the rows at these positions, in this order.

    Only row groups with these rows are read.
    """
    rows_by_part: dict[int, list[tuple[int, int]]] = {}
    for position, key in enumerate(bucket):
        rows_by_part.setdefault(key.part, []).append((key.row, position))
    pieces: list[pa.Table] = []
    source = [0] * len(bucket)
    start = 0
    for number in sorted(rows_by_part):
        part = parts.part(number)
        for group, picked in part.by_group(sorted(rows_by_part[number])):
            piece = part.rows(group)
            placed = picked
            if 2 * len(picked) < piece.num_rows:
                # Without a copy, few rows would keep their whole group in memory, and memory
                # would grow with the corpus. For most rows of a group, one take at the end is
                # cheaper.
                piece = piece.take(pa.array([row for row, _ in picked], pa.int64()))
                placed = [(index, position) for index, (_, position) in enumerate(picked)]
            pieces.append(piece)
            for row, position in placed:
                source[position] = start + row
            start += piece.num_rows
    return pa.concat_tables(pieces).take(pa.array(source, pa.int64()))
