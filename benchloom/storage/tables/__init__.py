"""Published tables: their definitions in `datasets/`, writing and reading them as Parquet."""

from benchloom.storage.tables.definition import (
    ALWAYS,
    ColumnDefinition,
    ReferenceDefinition,
    SplitDefinition,
    TableDefinition,
    load_table,
    table_names,
)
from benchloom.storage.tables.files import (
    BATCHES,
    PARQUET,
    SPLITS,
    UNSPLIT,
    FileSet,
    SetFile,
    open_parquet,
    read_batches,
    row_count,
    schema_of,
    set_file,
)
from benchloom.storage.tables.reading import (
    is_part,
    iter_records,
    read_rows,
    records_in,
    records_of,
    table_parts,
)
from benchloom.storage.tables.taking import OpenPart, OpenParts, TakenRow, take_rows
from benchloom.storage.tables.writing import TableWriter, part_writer, write_table

__all__ = [
    "ALWAYS",
    "BATCHES",
    "PARQUET",
    "SPLITS",
    "UNSPLIT",
    "ColumnDefinition",
    "FileSet",
    "OpenPart",
    "OpenParts",
    "ReferenceDefinition",
    "SetFile",
    "SplitDefinition",
    "TableDefinition",
    "TableWriter",
    "TakenRow",
    "is_part",
    "iter_records",
    "load_table",
    "open_parquet",
    "part_writer",
    "read_batches",
    "read_rows",
    "records_in",
    "records_of",
    "row_count",
    "schema_of",
    "set_file",
    "table_names",
    "table_parts",
    "take_rows",
    "write_table",
]
