"""Reading tables back: files of a stage, rows, and typed records."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.errors import RunError

R = TypeVar("R", bound=msgspec.Struct)


def table_parts(folder: Path, table: str) -> list[Path]:
    """The files of `table` in a stage folder: `<table>.parquet`, or the parts in `<table>/`."""
    single = folder / f"{table}.parquet"
    if single.is_file():
        return [single]
    # Not "*.parquet": that would take in a file another process is still writing.
    return sorted((folder / table).glob(f"{table}-*.parquet"))


def read_rows(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The rows of one file.

    Raises:
        RunError: the file is not readable Parquet; the message names it.
    """
    try:
        with pq.ParquetFile(path) as file:
            return file.read(columns=columns, use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"{path.name}: not a readable Parquet file: {error}") from error


def iter_records(folder: Path, table: str, record: type[R], batch_rows: int = 256) -> Iterator[R]:
    """Typed records of a table, a batch of rows in memory at a time."""
    for part in table_parts(folder, table):
        with pq.ParquetFile(part) as file:
            for batch in file.iter_batches(batch_size=batch_rows, use_threads=False):
                for row in batch.to_pylist():
                    yield msgspec.convert(row, record)
