"""The files of a released table: a set per split, each in the table's order, none very large.

Stages write what is convenient to resume; readers want files of a size they can fetch side by
side, and the rows of one split without those of another. Order and cuts depend on the rows alone.
"""

import shutil
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchloom.tables import (
    SPLITS,
    UNSPLIT,
    FileSet,
    OpenParts,
    SplitDefinition,
    TableDefinition,
    TableWriter,
    load_table,
    open_parquet,
    read_rows,
    row_count,
    take_rows,
)
from benchloom.tables.writing import ROW_GROUP_BYTES

SHARD_BYTES = 256 * 1024 * 1024
"""Size on disk at which a file of a released table ends."""
_NUMBER_BYTES = 8


class _Place(NamedTuple):
    part: int
    row: int


class Copied(msgspec.Struct, frozen=True):
    """A file of a released table that is one of a stage."""

    table: str
    target: Path
    part: Path

    def write(self) -> None:
        """Write it."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.part, self.target)


class Cut(msgspec.Struct, frozen=True):
    """One of whole row groups, which are numbered in their files."""

    table: str
    target: Path
    groups: tuple[tuple[Path, int], ...]

    def write(self) -> None:
        """Write it."""
        _write(self.table, self.target, _row_groups(self.groups))


class Taken(msgspec.Struct, frozen=True):
    """One of single rows: `numbers` is a file of their numbers, counted through the parts."""

    table: str
    target: Path
    parts: tuple[Path, ...]
    lengths: tuple[int, ...]
    numbers: Path

    def write(self) -> None:
        """Write it."""
        step = load_table(self.table).row_group_rows
        numbers = pa.Array.from_buffers(
            pa.int64(),
            self.numbers.stat().st_size // _NUMBER_BYTES,
            [None, pa.py_buffer(self.numbers.read_bytes())],
        )
        _write(self.table, self.target, _taken(self.parts, self.lengths, numbers, step))


Shard = Copied | Cut | Taken
"""A file of a released table that is to be written, by whatever process."""


def plan_files(
    stages: Sequence[Sequence[Path]],
    name: str,
    folder: Path,
    scratch: Path,
    shard_bytes: int = SHARD_BYTES,
) -> list[Shard]:
    """The files of a table that one or more stages made, sorted by name.

    They are written into `folder` with what is noted in `scratch`.
    """
    table = load_table(name)
    parts = [part for stage in stages for part in stage]
    in_order = len(stages) == 1 and _in_order(parts, table)
    if table.splits is not None or not in_order:
        found = _divided(parts, table, folder, scratch, shard_bytes, in_order=in_order)
        return sorted(found, key=lambda shard: shard.target)
    if len(parts) == 1 and parts[0].stat().st_size <= 2 * shard_bytes:
        (target,) = _targets(folder, table, 1)
        return [Copied(name, target, parts[0])]
    return list(_cut(parts, table, folder, shard_bytes))


def file_set_of(splits: SplitDefinition, split: object, marked: object) -> FileSet:
    """The set of files in which a row with these values lies."""
    name = str(split) if split in SPLITS else UNSPLIT
    return FileSet(name, splits.word if marked else "")


def _in_order(parts: Sequence[Path], table: TableDefinition) -> bool:
    """Whether the rows already stand in the table's order."""
    columns = list(table.sort)
    previous: tuple[tuple[bool, object], ...] | None = None
    for part in parts:
        rows = read_rows(part, columns)
        keys = zip(*(rows.column(column).to_pylist() for column in columns), strict=True)
        for key in keys:
            current = tuple((value is not None, "" if value is None else value) for value in key)
            if previous is not None and current < previous:
                return False
            previous = current
    return True


def _targets(
    folder: Path, table: TableDefinition, count: int, file_set: FileSet | None = None
) -> list[Path]:
    """The files of one set, in order."""
    names = file_set or FileSet(UNSPLIT)
    return [folder / table.name / names.file_name(number, count) for number in range(count)]


def _cut(
    parts: Sequence[Path], table: TableDefinition, folder: Path, shard_bytes: int
) -> Iterator[Cut]:
    """Whole row groups, file after file."""
    groups: list[list[tuple[Path, int]]] = [[]]
    size = 0
    for part in parts:
        with open_parquet(part) as file:
            stored = file.metadata
        for number in range(stored.num_row_groups):
            if size >= shard_bytes:
                groups.append([])
                size = 0
            groups[-1].append((part, number))
            size += _stored_bytes(stored, number)
    for target, group in zip(_targets(folder, table, len(groups)), groups, strict=True):
        yield Cut(table.name, target, tuple(group))


def _stored_bytes(stored: pq.FileMetaData, number: int) -> int:
    group = stored.row_group(number)
    return sum(group.column(column).total_compressed_size for column in range(group.num_columns))


def _row_groups(group: Sequence[tuple[Path, int]]) -> Iterator[pa.Table]:
    for part, found in groupby(group, itemgetter(0)):
        with open_parquet(part) as file:
            for _, number in found:
                yield file.read_row_group(number, use_threads=False)


def _divided(
    parts: Sequence[Path],
    table: TableDefinition,
    folder: Path,
    scratch: Path,
    shard_bytes: int,
    *,
    in_order: bool,
) -> Iterator[Taken]:
    """The rows by file set, in the table's order; only keys and a row group are in memory."""
    lengths = tuple(row_count(part) for part in parts)
    numbers = pa.array(range(sum(lengths)), pa.int64()) if in_order else _order(parts, table)
    size = sum(part.stat().st_size for part in parts)
    step = table.row_group_rows
    most = max(1, shard_bytes * len(numbers) // max(1, size) // step) * step
    for file_set, found in _by_set(parts, table, numbers).items():
        shards = [found.slice(start, most) for start in range(0, len(found), most)] or [found]
        targets = _targets(folder, table, len(shards), file_set)
        for target, shard in zip(targets, shards, strict=True):
            place = scratch / table.name / f"{target.stem}.numbers"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(shard.to_numpy(zero_copy_only=False).tobytes())
            yield Taken(table.name, target, tuple(parts), lengths, place)


def _order(parts: Sequence[Path], table: TableDefinition) -> pa.Array:
    """The numbers of all rows, counted through the parts, in the table's order."""
    keys = pa.concat_tables([read_rows(part, list(table.sort)) for part in parts])
    order = [(column, "ascending", "at_start") for column in table.sort]
    return pc.sort_indices(keys, sort_keys=order).cast(pa.int64())


def _by_set(
    parts: Sequence[Path], table: TableDefinition, numbers: pa.Array
) -> dict[FileSet, pa.Array]:
    """The numbers of the rows of each file set; a table without rows has one set, of none."""
    splits = table.splits
    if splits is None or not len(numbers):
        return {FileSet(UNSPLIT): numbers}
    sets: dict[FileSet, int] = {}
    codes: list[pa.Array] = []
    for part in parts:
        rows = read_rows(part, splits.columns())
        values = rows.column(splits.column).to_pylist()
        marks = rows.column(splits.subset).to_pylist() if splits.subset else [False] * len(values)
        found = (file_set_of(splits, *pair) for pair in zip(values, marks, strict=True))
        codes.append(pa.array((sets.setdefault(one, len(sets)) for one in found), pa.int16()))
    lies = pa.concat_arrays(codes).take(numbers)
    return {name: numbers.filter(pc.equal(lies, code)) for name, code in sorted(sets.items())}


def _taken(
    parts: Sequence[Path], lengths: Sequence[int], numbers: pa.Array, step: int
) -> Iterator[pa.Table]:
    """The rows with these numbers as row groups of `step` rows, fewer where rows are large."""
    starts = [0, *accumulate(lengths)]
    with OpenParts(parts) as opened:
        for start in range(0, len(numbers), step):
            places = []
            for number in numbers.slice(start, step).to_pylist():
                part = bisect_right(starts, number) - 1
                places.append(_Place(part, number - starts[part]))
            yield from _halved(take_rows(opened, places))


def _halved(rows: pa.Table) -> Iterator[pa.Table]:
    """The rows in runs of at most the size at which a row group is closed."""
    if rows.nbytes <= ROW_GROUP_BYTES or rows.num_rows <= 1:
        yield rows
        return
    middle = rows.num_rows // 2
    yield from _halved(rows.slice(0, middle))
    yield from _halved(rows.slice(middle))


def _write(table: str, target: Path, groups: Iterator[pa.Table]) -> None:
    with TableWriter(table, target) as writer:
        for rows in groups:
            writer.add_table(rows)
