"""Convert records to the columns of their table, as a stage does before it writes them."""

from collections.abc import Sequence
from functools import cache

import msgspec

from benchloom.storage.tables.arrays import record_batch
from benchloom.storage.tables.definition import TableDefinition, load_table


@cache
def _table(name: str) -> TableDefinition:
    return load_table(name)


def store_rows(table: str, records: Sequence[msgspec.Struct]) -> int:
    """Return the number of rows after converting records to columns; errors are raised."""
    if not records:
        return 0
    rows: int = record_batch(_table(table), records).num_rows
    return rows
