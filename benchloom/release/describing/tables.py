"""Reading access to the tables of a release, a batch of rows in memory at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.release.manifest import ReleaseFile
from benchloom.tables import open_parquet, schema_of

BATCH_ROWS = 512


class ReleaseTables(msgspec.Struct, frozen=True):
    """The tables of a release in `folder`; a column is named by its dotted path."""

    folder: Path
    files: tuple[ReleaseFile, ...]

    def rows(self) -> dict[str, int]:
        """Rows per table, sorted by name."""
        found: dict[str, int] = {}
        for file in sorted(self.files, key=lambda file: file.path):
            if file.table is not None:
                found[file.table] = found.get(file.table, 0) + (file.rows or 0)
        return found

    def parts(self, table: str) -> list[Path]:
        """The files of a table, in order; empty when the release does not hold it."""
        paths = sorted(file.path for file in self.files if file.table == table)
        return [self.folder / path for path in paths]

    def schema(self, table: str) -> pa.Schema:
        """The Arrow schema of a table the release holds."""
        return schema_of(self.parts(table)[0])

    def has(self, table: str, *columns: str) -> bool:
        """Whether the release holds the table with all these columns."""
        if not self.parts(table):
            return False
        schema = self.schema(table)
        return all(parquet_path(schema, column) is not None for column in columns)

    def batches(
        self, table: str, columns: Sequence[str], rows: int = BATCH_ROWS
    ) -> Iterator[pa.RecordBatch]:
        """Batches with only these columns; nested paths read only their leaves.

        A column that the release does not have is left out of the batches.
        """
        for part in self.parts(table):
            with open_parquet(part) as file:
                found = (parquet_path(file.schema_arrow, column) for column in columns)
                paths = [path for path in found if path is not None]
                yield from file.iter_batches(batch_size=rows, columns=paths, use_threads=False)


def parquet_path(schema: pa.Schema, column: str) -> str | None:
    """The path Parquet knows a dotted column by, None where there is no such column."""
    first, *fields = column.split(".")
    position = schema.get_field_index(first)
    if position < 0:
        return None
    path, kind = first, schema.field(position).type
    for field in fields:
        if pa.types.is_list(kind):
            path, kind = f"{path}.list.element", kind.value_type
        if not pa.types.is_struct(kind) or kind.get_field_index(field) < 0:
            return None
        path, kind = f"{path}.{field}", kind.field(field).type
    return path
