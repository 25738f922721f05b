"""Make the rows of a stage one by one, and reuse the rows that an earlier run made."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Rejected
from benchloom.storage.inputs import SourceObject
from benchloom.storage.memory.rows import EarlierRows
from benchloom.storage.tables import TakenRow, open_parquet, records_of
from benchloom.storage.tables.arrays import row_digests
from flows.run.output import Output
from flows.run.reads import ObjectRange

S = TypeVar("S")
R = TypeVar("R", bound=msgspec.Struct)
BATCH_ROWS = 256
ACTION_BYTES = 200
"""Approximate number of bytes that an action takes in memory, not counting its text."""


@dataclass(frozen=True)
class EachObject:
    """A stage function that makes a row, or a rejected row, from every input object.

    An object is a file or a member of an archive.

    Attributes:
        step: the name of the step in rejected rows, such as "parse".
        table: the table of the rows.
        row: makes the row of an object from its bytes. It raises `RejectedInputError` if the object
            gives no row.
    """

    step: str
    table: str
    row: Callable[[SourceObject, bytes], msgspec.Struct]

    def __call__(self, _: None, objects: ObjectRange, output: Output) -> None:
        """Write a row or a rejected row for each object in a range of the inputs."""
        with (
            closing(EarlierRows(output.stage, (self.table,))) as earlier,
            objects.opened() as sources,
        ):
            for source in sources:
                row = self._row(source, earlier)
                if isinstance(row, Rejected):
                    output.reject(row)
                else:
                    output.add(self.table, row, source.size)
            output.row_keys = earlier.keys

    def _row(self, source: SourceObject, earlier: EarlierRows) -> msgspec.Struct | TakenRow:
        data = b""
        try:
            data = source.read()
            (rows,) = earlier.find_all([(source.source_uri, data)])
        except RejectedInputError as error:
            return self._rejection(source, error, data)
        if rows is not None:
            return rows[0]
        try:
            return self.row(source, data)
        except RejectedInputError as error:
            earlier.drop()
            return self._rejection(source, error, data)

    def _rejection(self, source: SourceObject, error: RejectedInputError, data: bytes) -> Rejected:
        digest = tagged_digest("file", data) if data else None
        return Rejected(self.step, source.source_uri, error.reason, error.message, digest)


@dataclass(frozen=True)
class EachShortcut(Generic[S, R]):
    """A stage function that makes rows of one or more tables from every row of `shortcuts`.

    Attributes:
        record: the type to which rows of `shortcuts` are converted.
        tables: the tables that get one row for every shortcut.
        rows: takes the value that all shards of the stage share and a record, and returns the row,
            or one row for each table.
        concerns: takes the shared value and shortcut ids, and returns for each id the part of the
            shared value that determines the rows of this shortcut. If it is None, every row depends
            on the whole shared value.
    """

    record: type[R]
    tables: tuple[str, ...]
    rows: Callable[[S, R], msgspec.Struct | tuple[msgspec.Struct, ...]]
    concerns: Callable[[S, Sequence[str]], Sequence[str]] | None = None

    def __call__(self, shared: S, part: Path, output: Output) -> None:
        """Write the rows for all shortcuts in one Parquet file."""
        with (
            closing(EarlierRows(output.stage, self.tables)) as earlier,
            open_parquet(part, "shortcuts") as file,
        ):
            for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
                sizes = _sizes(batch)
                for at, earlier_rows in enumerate(earlier.find_all(self._inputs_of(shared, batch))):
                    rows: Sequence[msgspec.Struct | TakenRow] = earlier_rows or self._make_rows(
                        shared, batch.slice(at, 1), part
                    )
                    for table, row in zip(self.tables, rows, strict=True):
                        output.add(table, row, sizes[at])
            output.row_keys = earlier.keys

    def concern(self, shared: S, part: Path) -> list[str]:
        """Return the parts of the shared value that determine the rows made from a file.

        The list is empty if `concerns` is None.
        """
        if self.concerns is None:
            return []
        with open_parquet(part, "shortcuts") as file:
            ids = file.read(columns=["shortcut_id"], use_threads=False).column(0).to_pylist()
        return list(self.concerns(shared, ids))

    def _make_rows(self, shared: S, row: pa.RecordBatch, part: Path) -> tuple[msgspec.Struct, ...]:
        (record,) = records_of(row.to_pylist(), part, "shortcuts", self.record)
        rows = self.rows(shared, record)
        return rows if isinstance(rows, tuple) else (rows,)

    def _inputs_of(self, shared: S, batch: pa.RecordBatch) -> Sequence[tuple[bytes | str, ...]]:
        """Return, for each shortcut, the values that determine the rows made from it.

        These values are a digest of the shortcut's columns and, with `concerns`, its part of the
        shared value. The digest leaves out the actions: they follow from the file, whose digest is
        a column, and digesting them takes ten times as long as digesting all other columns.
        """
        names = [name for name in batch.schema.names if name != "actions"]
        keys = row_digests(batch.select(names))
        if self.concerns is None:
            return [(key,) for key in keys]
        concerns = self.concerns(shared, batch.column("shortcut_id").to_pylist())
        return list(zip(keys, concerns, strict=True))


def _sizes(batch: pa.RecordBatch) -> list[int]:
    """Return the approximate number of bytes that each shortcut takes in memory."""
    actions = pc.multiply(batch.column("action_count").cast(pa.int64()), ACTION_BYTES)
    texts = pc.utf8_length(batch.column("workflow")).cast(pa.int64())
    sizes: list[int] = pc.add(actions, texts).to_pylist()
    return sizes
