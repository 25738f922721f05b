"""Rows of a table in any order, with memory that follows what is taken."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import pyarrow as pa

from benchloom.tables.arrays import record_batch
from benchloom.tables.definition import TableDefinition
from benchloom.tables.opened import OpenParts
from benchloom.workspace import TemporaryFile

_MET_ROWS = 1024
"""So many rows are held before they are handed out: a few at a time cost more than they are."""


class Place(Protocol):
    """Where a row lies: the number of its file, and its number in the file."""

    @property
    def part(self) -> int:
        """Number of the file."""

    @property
    def row(self) -> int:
        """Number of the row in the file."""


class TakenRow(NamedTuple):
    """A row among others of a table that is written as it is; `rows` have the table's schema."""

    rows: pa.Table
    at: int


Row = msgspec.Struct | TakenRow


def batch_of(table: TableDefinition, rows: Sequence[Row]) -> pa.RecordBatch:
    """One batch of records and taken rows, in order, as if all had been records.

    Raises:
        RunError: a null where the definition forbids one.
    """
    records = [row for row in rows if isinstance(row, msgspec.Struct)]
    made = record_batch(table, records)
    if len(records) == len(rows):
        return made
    fresh = pa.Table.from_batches([made])
    new = iter(range(len(records)))
    taken = [row if isinstance(row, TakenRow) else TakenRow(fresh, next(new)) for row in rows]
    pieces: list[pa.Table] = []
    # Rows beside each other stay so, and are copied at once.
    places = enumerate(taken)
    for _, group in groupby(places, lambda place: (id(place[1].rows), place[1].at - place[0])):
        run = [row for _, row in group]
        pieces.append(run[0].rows.slice(run[0].at, len(run)).cast(made.schema))
    (batch,) = pa.concat_tables(pieces).combine_chunks().to_batches()
    return batch


def take_rows(parts: OpenParts, bucket: Sequence[Place]) -> pa.Table:
    """The rows of a bucket in its order, reading only row groups that hold one of them."""
    wanted: dict[int, list[tuple[int, int]]] = {}
    for position, key in enumerate(bucket):
        wanted.setdefault(key.part, []).append((key.row, position))
    pieces: list[pa.Table] = []
    source = [0] * len(bucket)
    start = 0
    for number in sorted(wanted):
        part = parts.part(number)
        for group, picked in part.by_group(sorted(wanted[number])):
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


def take_stretches(
    parts: OpenParts, places: Sequence[Place], stretch: int, beside: Path
) -> Generator[pa.Table, None, None]:
    """The rows of many places in their order, `stretch` of them in memory at a time.

    The files are read once, however many stretches there are: rows that are not due yet wait in
    temporary files beside the path `beside`, one for each stretch.
    """
    if len(places) <= stretch:
        yield take_rows(parts, places)
        return
    count = -(-len(places) // stretch)
    waiting = [
        TemporaryFile(beside.with_name(f"{number}-{beside.name}")) for number in range(count)
    ]
    try:
        orders = _hand_out(parts, places, stretch, [one.path for one in waiting])
        for one, order in zip(waiting, orders, strict=True):
            with pa.memory_map(str(one.path)) as source:
                rows = pa.ipc.open_stream(source).read_all().take(pa.array(order, pa.int64()))
            one.discard()
            yield rows
    finally:
        for one in waiting:
            one.discard()


def _hand_out(
    parts: OpenParts, places: Sequence[Place], stretch: int, files: Sequence[Path]
) -> list[list[int]]:
    """Write the rows of each stretch to its file as they are met; where each is in its file."""
    orders = [[0] * min(stretch, len(places) - start) for start in range(0, len(places), stretch)]
    written = [0] * len(files)
    writers: list[pa.ipc.RecordBatchStreamWriter] = []
    options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with ExitStack() as stack:
        for rows, positions in _met(parts, places):
            if not writers:
                writers += [
                    stack.enter_context(pa.ipc.new_stream(str(path), rows.schema, options=options))
                    for path in files
                ]
            start = 0
            for number, found in groupby(positions, lambda position: position // stretch):
                inside = list(found)
                writers[number].write_table(rows.slice(start, len(inside)))
                for offset, position in enumerate(inside, written[number]):
                    orders[number][position % stretch] = offset
                written[number] += len(inside)
                start += len(inside)
    return orders


def _met(parts: OpenParts, places: Sequence[Place]) -> Iterator[tuple[pa.Table, list[int]]]:
    """The rows of places as they lie in the files, some at a time, each time in their order.

    With the positions of their places, which ascend.
    """
    wanted: dict[int, list[tuple[int, int]]] = {}
    for position, place in enumerate(places):
        wanted.setdefault(place.part, []).append((place.row, position))
    held: list[pa.Table] = []
    positions: list[int] = []
    for number in sorted(wanted):
        part = parts.part(number)
        for group, picked in part.by_group(sorted(wanted[number])):
            rows = part.rows(group)
            held.append(rows.take(pa.array([row for row, _ in picked], pa.int64())))
            positions += [position for _, position in picked]
            if len(positions) >= _MET_ROWS:
                yield _ordered(held, positions)
                held, positions = [], []
    if held:
        yield _ordered(held, positions)


def _ordered(held: Sequence[pa.Table], positions: Sequence[int]) -> tuple[pa.Table, list[int]]:
    order = sorted(range(len(positions)), key=positions.__getitem__)
    rows = pa.concat_tables(held).combine_chunks().take(pa.array(order, pa.int64()))
    return rows, [positions[at] for at in order]
