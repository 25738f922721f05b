"""Merge rows with the same key that several stages wrote: equal rows become one row.

Different rows with the same key are an error. In a table with `united` columns, the key is a digest
of the content: the merged row is the first copy with the list entries of all copies. In other
tables the copies must be equal, except for the columns that say where a row came from. If the
splits of copies differ, the one that is furthest from training is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.errors import RunError
from benchloom.storage.tables.definition import PLANNING_PATHS, TableDefinition, load_table
from benchloom.storage.tables.reader import read_rows, row_groups, row_values, with_column
from benchloom.storage.tables.writer import TableWriter

HELD_OUT_FIRST = ("test", "validation", "train")
_BATCH_ROWS = 1024
_VALUE_CHARACTERS = 80
Row = dict[str, object]
Key = tuple[object, ...]


class TableParts(NamedTuple):
    """The files of a table that a stage wrote, and the stage's folder for error messages."""

    name: str
    stage: Path
    parts: Sequence[Path]


class MergedRows(NamedTuple):
    """The result of merging a table's rows: the files of each source, and a file with merged rows.

    `parts` has the files of each source without repeated rows, and `further` has the merged rows.
    `removed` is the number of rows that were merged with others. `splits` maps the first key column
    to the chosen split, for rows whose copies had different splits.
    """

    parts: Sequence[Sequence[Path]]
    further: Path
    removed: int
    splits: Mapping[object, str]


def merge_rows(name: str, sources: Sequence[TableParts], out: Path) -> MergedRows | None:
    """Merge rows of several sources that have the same key. Returns None if no key is repeated.

    Files from which rows are removed are written again in `out`. Raises RunError if rows with the
    same key differ.
    """
    table = load_table(name)
    repeated = _repeated_keys(table, sources) if table.key else {}
    if not repeated:
        return None
    parts = [
        [
            _without_copies(table, part, source.stage, repeated, out / f"{number}-{at}.parquet")
            for at, part in enumerate(source.parts)
        ]
        for number, source in enumerate(sources)
    ]
    further = out / "merged.parquet"
    splits: dict[object, str] = {}
    with TableWriter(table, further) as writer:
        for key, copies in repeated.items():
            row = _merge(table, key, copies)
            column = table.splits.column if table.splits is not None else None
            if column is not None and len({copy.row[column] for copy in copies}) > 1:
                splits[key[0]] = str(row[column])
            writer.add_table(pa.Table.from_pylist([row], schema=table.arrow_schema()))
    removed = sum(len(copies) - 1 for copies in repeated.values())
    return MergedRows(parts, further, removed, splits)


def replace_splits(
    name: str, part: Path, column: str, splits: Mapping[object, str], target: Path
) -> Path:
    """Give rows the split that `splits` has for their value in `column`.

    Returns the file itself if nothing changes, or a changed copy at `target`.
    """
    table = load_table(name)
    if table.splits is None:
        return part
    values = read_rows(part, [column]).column(column).to_pylist()
    if not any(value in splits for value in values):
        return part
    split_column = table.splits.column
    with TableWriter(table, target) as writer:
        for rows in row_groups(part, name):
            pairs = row_values(rows, (column, split_column))
            values = [splits.get(value, split) for value, split in pairs]
            writer.add_table(with_column(rows, split_column, values))
    return target


class _Copy(NamedTuple):
    origin: Path
    row: Row


def _repeated_keys(table: TableDefinition, sources: Sequence[TableParts]) -> dict[Key, list[_Copy]]:
    names = list(table.key)
    keys = [read_rows(part, names) for source in sources for part in source.parts]
    if not keys:
        return {}
    counts = pa.concat_tables(keys).group_by(names).aggregate([([], "count_all")])
    repeated = counts.filter(pc.greater(counts.column("count_all"), 1))
    return {key: [] for key in sorted(row_values(repeated, names), key=repr)}


def _without_copies(
    table: TableDefinition,
    part: Path,
    origin: Path,
    repeated: Mapping[Key, list[_Copy]],
    target: Path,
) -> Path:
    if not any(key in repeated for key in row_values(read_rows(part, list(table.key)), table.key)):
        return part
    with TableWriter(table, target) as writer:
        for rows in row_groups(part, table.name):
            is_copy = [key in repeated for key in row_values(rows, table.key)]
            copies = rows.filter(pa.array(is_copy, pa.bool_()))
            for batch in copies.to_batches(_BATCH_ROWS):
                for row in batch.to_pylist():
                    repeated[tuple(row[name] for name in table.key)].append(_Copy(origin, row))
            writer.add_table(rows.filter(pa.array([not copy for copy in is_copy], pa.bool_())))
    return target


def _merge(table: TableDefinition, key: Key, copies: Sequence[_Copy]) -> Row:
    # The result does not depend on the order of the sources.
    split = table.splits.column if table.splits is not None else ""
    ordered = sorted(copies, key=lambda copy: (_rank(copy.row.get(split)), repr(copy.row)))
    first = ordered[0]
    if not table.united:
        for other in ordered[1:]:
            _require_equal(table, key, first, other, apart=(*table.places, split))
    row = dict(first.row)
    for column in table.united:
        row[column] = _union(copy.row[column] for copy in ordered)
    return row


def _rank(split: object) -> int:
    return HELD_OUT_FIRST.index(str(split)) if split in HELD_OUT_FIRST else len(HELD_OUT_FIRST)


def _union(lists: Iterator[object]) -> list[object]:
    entries: dict[str, object] = {}
    for values in lists:
        for value in values if isinstance(values, list) else ():
            entries.setdefault(repr(value), value)
    return list(entries.values())


def _require_equal(
    table: TableDefinition, key: Key, first: _Copy, other: _Copy, apart: Sequence[str]
) -> None:
    columns = [
        name for name, value in first.row.items() if name not in apart and value != other.row[name]
    ]
    if not columns:
        return
    key_text = ", ".join(
        f"{name}={str(value)[:_VALUE_CHARACTERS]!r}"
        for name, value in zip(table.key, key, strict=True)
    )
    raise RunError(
        f"{table.name}: two different rows have the key {key_text}: one of {first.origin}, one of "
        f"{other.origin}; they differ in {', '.join(columns)}. Leave out one of the two folders, "
        "or make both again from the same inputs."
    )


class MergedTables(NamedTuple):
    """The files of all tables after merging, and the number of merged rows per table."""

    tables: list[TableParts]
    counts: dict[str, int]


def merge_tables(stages: Sequence[TableParts], scratch: Path) -> MergedTables:
    """Merge rows with the same key that several stages wrote, in all tables.

    Changed files are written to `scratch`. Rows about a plan in different splits get the split of
    the merged plan. Raises RunError if two stages have different rows with the same key.
    """
    tables: list[TableParts] = []
    counts: dict[str, int] = {}
    splits: Mapping[object, str] = {}
    names = sorted(
        {stage.name for stage in stages}, key=lambda name: (name != PLANNING_PATHS, name)
    )
    for name in names:
        chosen = [stage for stage in stages if stage.name == name]
        if splits and (column := _plan_column(name)):
            chosen = [
                stage._replace(
                    parts=[
                        replace_splits(name, part, column, splits, scratch / f"{name}-{at}-{n}")
                        for n, part in enumerate(stage.parts)
                    ]
                )
                for at, stage in enumerate(chosen)
            ]
        merged = merge_rows(name, chosen, scratch / name) if len(chosen) > 1 else None
        if merged is None:
            tables += chosen
            continue
        counts[name] = merged.removed
        splits = merged.splits if name == PLANNING_PATHS else splits
        tables += [
            stage._replace(parts=parts) for stage, parts in zip(chosen, merged.parts, strict=True)
        ]
        tables.append(TableParts(name, merged.further, [merged.further]))
    return MergedTables(tables, counts)


def _plan_column(name: str) -> str | None:
    table = load_table(name)
    if table.splits is None:
        return None
    columns = [
        reference.columns[0]
        for reference in table.references
        if tuple(reference.to) == (PLANNING_PATHS,) and len(reference.columns) == 1
    ]
    return next((column for column in columns if "." not in column), None)
