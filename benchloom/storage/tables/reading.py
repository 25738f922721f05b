"""Read tables: list their files, and read rows or typed records."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

import msgspec
import pyarrow as pa

from benchloom.core.errors import RunError
from benchloom.storage.tables.files import is_stage_part, open_parquet, set_file

R = TypeVar("R", bound=msgspec.Struct)


def table_parts(folder: Path, table: str) -> list[Path]:
    """List the files of `table` in a folder of a stage or release, sorted by name."""
    single = folder / f"{table}.parquet"
    if single.is_file():
        return [single]
    # Not every "*.parquet": that would take in a file another process is still writing.
    return sorted(
        path
        for path in (folder / table).glob("*.parquet")
        if is_stage_part(path.name, table) or set_file(path.name) is not None
    )


def is_part(location: str, table: str) -> bool:
    """Whether a file would be listed by `table_parts`, judged by its path alone."""
    path = PurePosixPath(location.replace("!", "/"))
    if path.name == f"{table}.parquet":
        return True
    is_table_file = is_stage_part(path.name, table) or set_file(path.name) is not None
    return path.parent.name == table and is_table_file


def read_rows(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Return the rows of one file, or raise RunError if it lacks a column."""
    with open_parquet(path) as file:
        missing = sorted(set(columns or ()) - set(file.schema_arrow.names))
        if missing:
            raise RunError(f"{path}: no column {', '.join(missing)}")
        return file.read(columns=columns, use_threads=False)


def iter_records(folder: Path, table: str, record: type[R], batch_rows: int = 256) -> Iterator[R]:
    """Yield typed records of a table, with one batch in memory, from the record's columns."""
    for part in table_parts(folder, table):
        yield from records_in(part, table, record, batch_rows=batch_rows)


def records_in(  # noqa: PLR0917  where, as what, and how
    part: Path,
    table: str,
    record: type[R],
    data: bytes | None = None,
    batch_rows: int = 256,
    row_groups: Sequence[int] | None = None,
) -> Iterator[R]:
    """Yield typed records of one file, or of some row groups; `data` are its bytes if archived."""
    with open_parquet(part, data=data) as file:
        groups = None if row_groups is None else list(row_groups)
        batches = file.iter_batches(
            batch_size=batch_rows,
            row_groups=groups,
            columns=list(record.__struct_fields__),
            use_threads=False,
        )
        for batch in batches:
            yield from records_of(batch.to_pylist(), part, table, record)


def records_of(rows: Sequence[object], part: Path, table: str, record: type[R]) -> list[R]:
    """Convert rows that were read from a file of a table to typed records, or raise RunError."""
    try:
        return msgspec.convert(rows, list[record])  # type: ignore[valid-type]  # known when it runs
    except msgspec.ValidationError as error:
        raise RunError(f"{part}: not a table of {table}: {error}") from error
