"""Read the tables of a release, with one batch of rows in memory at a time.

This module also reads notes: Markdown tables of statistics that a stage of the pipeline wrote about
its own rows, and that the dataset card and the report show.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.set_details import NO_DETAILS, SetDetails
from benchloom.release.descriptions.figures import Section
from benchloom.release.manifest import ReleaseFile, row_counts
from benchloom.storage.inputs import SourceFile
from benchloom.storage.memory import digest, recall
from benchloom.storage.tables import open_parquet, row_values, schema_of
from benchloom.storage.workspace import FunnelStep


class Note(msgspec.Struct, frozen=True):
    """A table of statistics: the release tables it describes, its column headings and its cells."""

    tables: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_notes(statistics: Mapping[str, str]) -> tuple[Note, ...]:
    """Read the Markdown tables in the statistics that pipeline stages wrote.

    `statistics` maps a release table to the text that its stage wrote. Stages that write several
    tables have the same text for each; its Markdown tables are returned once and name all these
    tables.
    """
    owners: dict[str, list[str]] = {}
    for table in sorted(statistics):
        owners.setdefault(statistics[table], []).append(table)
    notes: list[Note] = []
    for text, tables in owners.items():
        for is_table, group in groupby(text.splitlines(), lambda line: line.startswith("|")):
            lines = [_cells(line) for line in group] if is_table else []
            if len(lines) > 2:
                notes.append(Note(tuple(tables), lines[0], tuple(lines[2:])))
    return tuple(notes)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


BATCH_ROWS = 512
T = TypeVar("T")


class TableFile(msgspec.Struct, frozen=True):
    """A Parquet file of a table.

    Results that are computed from a file are cached under its digest.
    """

    path: Path
    sha256: str
    rows: int

    def has(self, *columns: str) -> bool:
        """Return whether the file has all these columns."""
        schema = schema_of(self.path)
        return all(parquet_path(schema, column) is not None for column in columns)

    def batches(self, columns: Sequence[str], rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Yield batches with these columns. Columns that the file lacks are left out."""
        with open_parquet(self.path) as file:
            column_paths = (parquet_path(file.schema_arrow, column) for column in columns)
            paths = [path for path in column_paths if path is not None]
            yield from file.iter_batches(batch_size=rows, columns=paths, use_threads=False)

    def values(self, columns: Sequence[str], among: Sequence[str] | None = None) -> Iterator[Any]:
        """Yield a tuple per row with the values of these top-level columns.

        With `among`, only rows whose value in the first column is one of these texts are included.
        """
        texts = pa.array(among or (), pa.string())
        for batch in self.batches(columns, rows=4096):
            rows = batch if among is None else batch.filter(pc.is_in(batch[columns[0]], texts))
            yield from row_values(rows, columns)

    def rows_at(
        self, row_numbers: Sequence[int], columns: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        """Return the rows with these numbers, which must be sorted.

        Only their row groups are read.
        """
        rows: list[dict[str, Any]] = []
        start = 0
        with open_parquet(self.path) as file:
            for group in range(file.num_row_groups):
                end = start + file.metadata.row_group(group).num_rows
                here = [
                    row_number - start for row_number in row_numbers if start <= row_number < end
                ]
                if here:
                    group_rows = file.read_row_group(group, columns, use_threads=False)
                    rows += group_rows.take(here).to_pylist()
                start = end
        return rows

    def cached_result(self, kind: type[T], find: Callable[..., T], *arguments: object) -> T:
        """Return `find(self, *arguments)`. If this result is cached, the file is not read.

        The cache key consists of the function's name, the file's digest and the arguments.
        Therefore `find` may depend on nothing else.
        """
        name = f"{find.__module__}:{find.__qualname__}{arguments!r}"
        return recall(digest(self.sha256, name), kind, lambda: find(self, *arguments))


class ReleaseTables(msgspec.Struct, frozen=True):
    """The tables of the release in `folder`. A nested column is named by its dotted path."""

    folder: Path
    files: tuple[ReleaseFile, ...]

    def rows(self) -> dict[str, int]:
        """Return a mapping from table name to number of rows, sorted by name."""
        return row_counts(self.files)

    def table_files(self, table: str) -> list[TableFile]:
        """Return the files of a table, sorted by path.

        The list is empty if the release lacks the table.
        """
        release_files = sorted(
            (file for file in self.files if file.table == table), key=lambda file: file.path
        )
        return [
            TableFile(self.folder / file.path, file.sha256, file.rows or 0)
            for file in release_files
        ]

    def each(
        self, table: str, kind: type[T], find: Callable[..., T], *arguments: object
    ) -> Iterator[T]:
        """Yield `find(file, *arguments)` for each file of a table; results are cached per file."""
        for file in self.table_files(table):
            yield file.cached_result(kind, find, *arguments)


def parquet_path(schema: pa.Schema, column: str) -> str | None:
    """Convert a dotted column path to Parquet's path, or return None if there is no such column."""
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


class ReleaseView(msgspec.Struct, frozen=True, kw_only=True):
    """The data from which all documents of a release are written.

    The data do not depend on the day or the machine. `notes` are tables of statistics that pipeline
    stages wrote. `redactions` gives, per table, how many placeholders of each kind replaced secret
    or personal values.
    """

    version: str
    content_digest: str
    tables: ReleaseTables
    funnel: tuple[FunnelStep, ...]
    sources: tuple[SourceFile, ...]
    sections: tuple[Section, ...]
    redactions: dict[str, dict[str, int]] = {}
    notes: tuple[Note, ...] = ()
    details: SetDetails = NO_DETAILS

    @property
    def heading(self) -> str:
        """The title of the dataset and the version of the release."""
        return f"{self.details.heading} {self.version}"
