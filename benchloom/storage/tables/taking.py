"""Read rows of a table in any order; memory grows only with the rows requested."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

import msgspec
import pyarrow as pa

from benchloom.storage.tables.arrays import record_batch
from benchloom.storage.tables.definition import TableDefinition
from benchloom.storage.tables.opened import OpenParts


class RowPosition(Protocol):
    """The position of a row: the number of its file, and its number in the file."""

    @property
    def part(self) -> int:
        """Number of the file."""

    @property
    def row(self) -> int:
        """Number of the row in the file."""


class TakenRow(NamedTuple):
    """A row to be copied unchanged into a batch of records; `rows` have the table's schema."""

    rows: pa.Table
    at: int


Row = msgspec.Struct | TakenRow


def batch_of(table: TableDefinition, rows: Sequence[Row]) -> pa.RecordBatch:
    """Return one batch of records and copied rows, in order, as if all of them were records."""
    records = [row for row in rows if isinstance(row, msgspec.Struct)]
    fresh_batch = record_batch(table, records)
    if len(records) == len(rows):
        return fresh_batch
    fresh = pa.Table.from_batches([fresh_batch])
    new = iter(range(len(records)))
    taken = [row if isinstance(row, TakenRow) else TakenRow(fresh, next(new)) for row in rows]
    pieces: list[pa.Table] = []
    # Rows beside each other stay so, and are copied at once.
    places = enumerate(taken)
    for _, group in groupby(
        places,
        lambda numbered_row: (id(numbered_row[1].rows), numbered_row[1].at - numbered_row[0]),
    ):
        run = [row for _, row in group]
        pieces.append(run[0].rows.slice(run[0].at, len(run)).cast(fresh_batch.schema))
    (batch,) = pa.concat_tables(pieces).combine_chunks().to_batches()
    return batch


def take_rows(parts: OpenParts, bucket: Sequence[RowPosition]) -> pa.Table:
    """Return the rows of a bucket in its order; only row groups with these rows are read."""
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
                # Few rows of a group keep the whole group in memory: memory is to follow the
                # bucket, not the corpus. Where most are wanted, one take at the end is cheaper.
                piece = piece.take(pa.array([row for row, _ in picked], pa.int64()))
                placed = [(index, position) for index, (_, position) in enumerate(picked)]
            pieces.append(piece)
            for row, position in placed:
                source[position] = start + row
            start += piece.num_rows
    return pa.concat_tables(pieces).take(pa.array(source, pa.int64()))
