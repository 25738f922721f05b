"""The files of a released table: in the table's order, none much larger than a shard.

Stages write what is convenient to resume; readers want files of a size they can fetch side by
side. Order and cuts depend on the rows alone.
"""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchloom.stages import part_path
from benchloom.tables import (
    TableDefinition,
    TableWriter,
    load_table,
    open_parquet,
    read_rows,
    row_count,
    take_rows,
)

SHARD_BYTES = 256 * 1024 * 1024
"""Size on disk at which a file of a released table ends."""


class _Place(NamedTuple):
    part: int
    row: int


def write_shards(
    stages: Sequence[Sequence[Path]], name: str, folder: Path, shard_bytes: int = SHARD_BYTES
) -> list[Path]:
    """Write the parts of a table that one or more stages made; the files, in order."""
    table = load_table(name)
    parts = [part for stage in stages for part in stage]
    if len(stages) > 1 or not _in_order(parts, table):
        return _sorted_shards(parts, table, folder, shard_bytes)
    if all(part.stat().st_size <= 2 * shard_bytes for part in parts):
        return _copies(parts, table, folder)
    return _cut(parts, table, folder, shard_bytes)


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


def _copies(parts: Sequence[Path], table: TableDefinition, folder: Path) -> list[Path]:
    targets = [part_path(folder, table.name, number) for number in range(len(parts))]
    for part, target in zip(parts, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(part, target)
    return targets


def _cut(
    parts: Sequence[Path], table: TableDefinition, folder: Path, shard_bytes: int
) -> list[Path]:
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
    return [
        _write(table, part_path(folder, table.name, number), _row_groups(group))
        for number, group in enumerate(groups)
    ]


def _stored_bytes(stored: pq.FileMetaData, number: int) -> int:
    group = stored.row_group(number)
    return sum(group.column(column).total_compressed_size for column in range(group.num_columns))


def _row_groups(group: Sequence[tuple[Path, int]]) -> Iterator[pa.Table]:
    for part, number in group:
        with open_parquet(part) as file:
            yield file.read_row_group(number, use_threads=False)


def _sorted_shards(
    parts: Sequence[Path], table: TableDefinition, folder: Path, shard_bytes: int
) -> list[Path]:
    """Rows of several files in the table's order; only keys and a row group are in memory."""
    places = _sorted_places(parts, table)
    step = table.row_group_rows
    size = sum(part.stat().st_size for part in parts)
    groups = max(1, shard_bytes * len(places) // max(1, size) // step)
    shards = [places[i : i + groups * step] for i in range(0, len(places), groups * step)] or [[]]
    return [
        _write(
            table,
            part_path(folder, table.name, number),
            (take_rows(parts, shard[i : i + step]) for i in range(0, len(shard), step)),
        )
        for number, shard in enumerate(shards)
    ]


def _sorted_places(parts: Sequence[Path], table: TableDefinition) -> list[_Place]:
    keys = pa.concat_tables([read_rows(part, list(table.sort)) for part in parts])
    lengths = [row_count(part) for part in parts]
    places = [_Place(part, row) for part, length in enumerate(lengths) for row in range(length)]
    order = pc.sort_indices(
        keys, sort_keys=[(column, "ascending", "at_start") for column in table.sort]
    )
    return [places[index] for index in order.to_pylist()]


def _write(table: TableDefinition, target: Path, groups: Iterator[pa.Table]) -> Path:
    with TableWriter(table, target) as writer:
        for rows in groups:
            writer.add_table(rows)
    return target
