"""Cache of columns that several gates compare, read once if the table has few rows.

Opening a file of a wide table takes longer than reading some of its keys, and a release may
have many files of which a check reads only keys.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pyarrow as pa

from benchloom.storage.tables import load_table, open_parquet, table_names

MOST_ROWS = 1 << 17
"""Of a table with more rows the columns are read by each gate: about 100 MB are held of one."""
_FURTHER = {
    "planning_paths": ("split",),
    "queries": ("kept", "judged", "category", "generator"),
    "rejected": ("reason", "digest", "source_uri"),
    "shortcuts": ("near_duplicate_cluster", "evaluation_reasons", "length"),
    "verdicts": ("kept",),
}
"""Those that gates ask for beside keys and references."""


class ComparedColumns:
    """Cache of compared columns by file path, filled on first use."""

    def __init__(self) -> None:
        self._held: dict[Path, pa.Table] = {}

    def of(self, path: Path, table: str, columns: Sequence[str]) -> pa.Table | None:
        """Return columns of a file; None if one is not cached or the schema differs."""
        compared = compared_columns(table)
        if not compared.issuperset(columns):
            return None
        if path not in self._held:
            with open_parquet(path) as file:
                if not file.schema_arrow.equals(load_table(table).arrow_schema()):
                    return None
                self._held[path] = file.read(columns=sorted(compared), use_threads=False)
        return self._held[path].select(list(columns))

    def forget(self) -> None:
        """Drop all cached columns."""
        self._held.clear()


@cache
def compared_columns(table: str) -> frozenset[str]:
    """Return the top-level columns that identify, sort, split or refer to rows of a table."""
    definition = load_table(table)
    column_names = {*definition.key, *definition.sort, *_FURTHER.get(table, ())}
    column_names.update(definition.splits.columns() if definition.splits else ())
    for reference in definition.references:
        column_names.update(reference.columns, reference.where)
    for other in table_names():
        for reference in load_table(other).references:
            column_names.update(reference.to.get(table, ()))
    return frozenset(name for name in column_names if "." not in name)
