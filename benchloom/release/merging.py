"""Merge tables of a release that several stages wrote: rows with the same key become one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchloom.storage.tables import load_table
from benchloom.storage.tables.definition import PLANNING_PATHS
from benchloom.storage.tables.merging import RowSource, merge_rows, replace_splits


class TableParts(NamedTuple):
    """Files of a table that come from one stage folder."""

    name: str
    stage: Path
    parts: Sequence[Path]


class MergedTables(NamedTuple):
    """Tables in which no two stages share a key, and the number of merged rows by table."""

    tables: list[TableParts]
    counts: dict[str, int]


def merge_tables(stages: Sequence[TableParts], scratch: Path) -> MergedTables:
    """Merge the rows that several stages have under one key; changed files are in `scratch`.

    Rows about a plan in different splits get the split of the merged plan. Raises RunError if two
    stages have different rows with the same key.
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
        sources = [RowSource(stage.stage, stage.parts) for stage in chosen]
        merged = merge_rows(name, sources, scratch / name) if len(chosen) > 1 else None
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
