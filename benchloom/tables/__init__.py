"""Published tables: their definitions in `datasets/`, writing and reading them as Parquet."""

from benchloom.tables.definition import (
    ColumnDefinition,
    ReferenceDefinition,
    TableDefinition,
    load_table,
    table_names,
)
from benchloom.tables.files import open_parquet, row_count, schema_of
from benchloom.tables.reading import iter_records, read_rows, table_parts
from benchloom.tables.taking import Place, take_rows
from benchloom.tables.writing import TableWriter, write_table

__all__ = [
    "ColumnDefinition",
    "Place",
    "ReferenceDefinition",
    "TableDefinition",
    "TableWriter",
    "iter_records",
    "load_table",
    "open_parquet",
    "read_rows",
    "row_count",
    "schema_of",
    "table_names",
    "table_parts",
    "take_rows",
    "write_table",
]
