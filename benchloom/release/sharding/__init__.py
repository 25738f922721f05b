"""Plan the files of a released table: a set of files per split, in the table's sort order.

`shards` writes the files, or copies them from the previous release. Each row gets a pseudo-random
number from its identifying columns. A file ends at a row with a small number, if it already has
half the average number of rows. So an added or removed row changes only its file and perhaps the
next, and most files stay equal byte for byte. The average rarely changes: it is doubled when a set
would otherwise have more than about `MAX_FILES` files.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from benchloom.release.sharding.shards import (
    CopiedFile,
    GatheredFile,
    Shard,
    remember_file,
    with_earlier,
)
from benchloom.storage.tables import (
    SPLITS,
    UNSPLIT,
    FileSet,
    SplitDefinition,
    TableDefinition,
    load_table,
    read_rows,
    row_values,
)

__all__ = [
    "SHARD_BYTES",
    "Shard",
    "file_set_of",
    "plan_files",
    "remember_file",
    "with_earlier",
]


MAX_FILES = 64
"""Approximate maximum number of files per split. Tables of a million rows have larger files."""
_DRAWN_BITS = 32
_AT_ONCE = 1 << 16


def cuts(numbers: NDArray[np.uint32], rows: int, most: int) -> list[int]:
    """Choose where files of about `rows` rows end, and return the end of each as a row number.

    `numbers` has a pseudo-random number per row. No file has more than `most` rows. `rows` is first
    doubled until about `MAX_FILES` files suffice.
    """
    while rows * MAX_FILES < len(numbers):
        rows *= 2
    most = min(most, 4 * rows)
    least = min(rows // 2, most)
    ends: list[int] = []
    start = 0
    # A file has `least` rows, and then ends at random after another `least` rows on average.
    for row_index in np.flatnonzero(numbers < (1 << _DRAWN_BITS) // max(1, rows // 2)).tolist():
        while row_index + 1 - start > most:
            start += most
            ends.append(start)
        if row_index + 1 - start >= least:
            start = row_index + 1
            ends.append(start)
    while len(numbers) - start > most:
        start += most
        ends.append(start)
    if start < len(numbers) or not ends:
        ends.append(len(numbers))
    return ends


def drawing_columns(table: TableDefinition) -> tuple[str, ...]:
    """Return the columns that identify a row, from which `drawn_by` derives the row's number."""
    return table.identity or table.key or table.sort


def drawn_by(keys: Iterable[pa.Table], table: TableDefinition) -> NDArray[np.uint32]:
    """Derive a pseudo-random number per row from the columns that identify the row.

    The number has `_DRAWN_BITS` bits and is the same in every release.
    """
    names = list(drawing_columns(table))
    draws = [np.zeros(0, np.uint32)]
    for rows in keys:
        for some in rows.select(names).to_batches(_AT_ONCE):
            columns = (column.to_pylist() for column in some.columns)
            encoded_keys = (
                repr(key).encode("utf-8", "replace") for key in zip(*columns, strict=True)
            )
            draws.append(np.fromiter(map(crc32, encoded_keys), np.uint32, some.num_rows))
    return np.concatenate(draws)


SHARD_BYTES = 256 * 1024 * 1024
"""Maximum size on disk of a file of a released table, in bytes."""
FILE_GROUPS = 4
"""Approximate number of full row groups (of Parquet) per file."""
_COPIED_BYTES = 1024 * 1024  # A stage's file up to this size is copied unchanged.


def plan_files(
    stages: Sequence[Sequence[Path]],
    name: str,
    folder: Path,
    scratch: Path,
    shard_bytes: int = SHARD_BYTES,
) -> list[Shard]:
    """Plan the files of the table `name` in the release `folder`, from the stages' files.

    For each planned file, the numbers of its rows are written to a file in `scratch`.
    """
    table = load_table(name)
    parts = [part for stage in stages for part in stage]
    most = min(_COPIED_BYTES, 2 * shard_bytes)
    keys = _read_keys(parts, table)
    is_small = len(parts) == 1 and parts[0].stat().st_size <= most
    if is_small and table.splits is None and _in_order(keys, table):
        (target,) = _targets(folder, table, 1)
        return [CopiedFile(name, target, parts[0])]
    shards = _divide(parts, keys, table, folder, scratch, shard_bytes=shard_bytes)
    return sorted(shards, key=lambda shard: shard.target)


def file_set_of(splits: SplitDefinition, split: object, marked: object) -> FileSet:
    """Return the set of files in which rows of a split are stored.

    `marked` rows, such as those for evaluation, are in separate files.
    """
    name = str(split) if split in SPLITS else UNSPLIT
    return FileSet(name, splits.word if marked else "")


def _read_keys(parts: Sequence[Path], table: TableDefinition) -> list[pa.Table]:
    names = [*table.sort, *drawing_columns(table)]
    names += table.splits.columns() if table.splits is not None else ()
    return [read_rows(part, list(dict.fromkeys(names))) for part in parts]


def _in_order(keys: Sequence[pa.Table], table: TableDefinition) -> bool:
    numbers = _order(keys, table)
    return bool(numbers.equals(pa.array(range(len(numbers)), pa.int64())))


def _targets(
    folder: Path, table: TableDefinition, count: int, file_set: FileSet | None = None
) -> list[Path]:
    names = file_set or FileSet(UNSPLIT)
    return [folder / table.name / names.file_name(number, count) for number in range(count)]


def _divide(
    parts: Sequence[Path],
    keys: Sequence[pa.Table],
    table: TableDefinition,
    folder: Path,
    scratch: Path,
    *,
    shard_bytes: int,
) -> Iterator[GatheredFile]:
    # Only keys and one row group are in memory.
    lengths = tuple(rows.num_rows for rows in keys)
    numbers = _order(keys, table)
    size = sum(part.stat().st_size for part in parts)
    step = table.row_group_rows
    most = max(1, shard_bytes * len(numbers) // max(1, size) // step) * step
    random_numbers = drawn_by(keys, table)
    for file_set, row_numbers in _by_set(keys, table, numbers).items():
        rows = row_numbers.to_numpy()
        ends = cuts(random_numbers[rows], FILE_GROUPS * step, most)
        targets = _targets(folder, table, len(ends), file_set)
        for target, start, end in zip(targets, [0, *ends], ends, strict=False):
            numbers_path = scratch / table.name / f"{target.stem}.numbers"
            numbers_path.parent.mkdir(parents=True, exist_ok=True)
            numbers_path.write_bytes(rows[start:end].tobytes())
            yield GatheredFile(table.name, target, tuple(parts), lengths, numbers_path)


def _order(keys: Sequence[pa.Table], table: TableDefinition) -> pa.Array:
    sorted_by = pa.concat_tables([rows.select(list(table.sort)) for rows in keys])
    order = [(column, "ascending", "at_start") for column in table.sort]
    return pc.sort_indices(sorted_by, sort_keys=order).cast(pa.int64())


def _by_set(
    keys: Sequence[pa.Table], table: TableDefinition, numbers: pa.Array
) -> dict[FileSet, pa.Array]:
    splits = table.splits
    if splits is None or not len(numbers):
        return {FileSet(UNSPLIT): numbers}
    sets: dict[FileSet, int] = {}
    codes: list[pa.Array] = []
    for rows in keys:
        values = row_values(rows, splits.columns())
        file_sets = (file_set_of(splits, split, any(marked)) for split, *marked in values)
        codes.append(
            pa.array((sets.setdefault(file_set, len(sets)) for file_set in file_sets), pa.int16())
        )
    lies = pa.concat_arrays(codes).take(numbers)
    return {name: numbers.filter(pc.equal(lies, code)) for name, code in sorted(sets.items())}
