"""Records through the columns of their table, as a stage would write them."""

from collections.abc import Sequence
from functools import cache

import msgspec

from benchloom.storage.tables.arrays import record_batch
from benchloom.storage.tables.definition import TableDefinition, load_table


@cache
def _table(name: str) -> TableDefinition:
    return load_table(name)


def stored(table: str, records: Sequence[msgspec.Struct]) -> int:
    """The number of rows, once every record has become columns; faults go through."""
    if not records:
        return 0
    rows: int = record_batch(_table(table), records).num_rows
    return rows
