"""Write Parquet files as a stream of row groups, atomically and with reproducible bytes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, Self

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.storage.tables.definition import TableDefinition, load_table
from benchloom.storage.tables.files import BATCHES, PAGE_CHECKSUMS
from benchloom.storage.tables.reader import Row, batch_of
from benchloom.storage.workspace import TemporaryFile, naming

ROW_GROUP_BYTES = 16 * 1024 * 1024
"""A row group ends at this uncompressed size, if sizes are passed to `add`."""


class _Writer(Protocol):
    def write_table(self, table: pa.Table, most: int, /) -> None: ...

    def close(self) -> None: ...


class TableWriter:
    """Writes records of a table to a Parquet file, which appears only when it is complete.

    A row group ends after the table's `row_group_rows` rows, or when the sizes passed to `add`
    reach 16 MiB. The same records and sizes always give the same bytes. `compression` is zstd for
    published files, lz4 for files that the next stage rewrites.
    """

    def __init__(self, table: str | TableDefinition, path: Path, compression: str = "zstd") -> None:
        self.table = load_table(table) if isinstance(table, str) else table
        self.path = path
        self.rows = 0
        self._schema = self.table.arrow_schema()
        self._temporary = TemporaryFile(path)
        with naming(path):
            self._writer = self._open(self._temporary.path, compression)
        self._pending: list[Row] = []
        self._pending_bytes = 0

    def _open(self, path: Path, compression: str) -> _Writer:
        writer: _Writer = pq.ParquetWriter(
            path,
            self._schema,
            compression=compression,
            use_dictionary=self.table.repetitive_columns(),
            write_statistics=[c.name for c in self.table.columns if not c.is_nested],
            write_page_index=False,
            write_page_checksum=PAGE_CHECKSUMS,
        )
        return writer

    def add(self, record: Row, size: int = 0) -> None:
        """Add a record or a copied row. `size` is its approximate size in bytes."""
        self._pending.append(record)
        self._pending_bytes += size
        if (
            len(self._pending) >= self.table.row_group_rows
            or self._pending_bytes >= ROW_GROUP_BYTES
        ):
            self._flush()

    def add_table(self, rows: pa.Table) -> None:
        """Add rows that already have the table's schema, as one row group."""
        self._flush()
        if rows.num_rows:
            with naming(self.path):
                self._writer.write_table(rows.cast(self._schema), rows.num_rows)
            self.rows += rows.num_rows

    def _flush(self) -> None:
        if self._pending:
            batch = batch_of(self.table, self._pending)
            with naming(self.path):
                self._writer.write_table(pa.Table.from_batches([batch]), batch.num_rows)
            self.rows += len(self._pending)
            self._pending.clear()
            self._pending_bytes = 0

    def close(self) -> None:
        """Write all remaining records and move the finished file to its path."""
        self._flush()
        with naming(self.path):
            self._writer.close()
        self._temporary.commit()

    def abandon(self) -> None:
        """Remove the unfinished file, even if closing it fails because the disk is full."""
        try:
            with naming(self.path):
                self._writer.close()
        finally:
            self._temporary.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.abandon()
            return
        try:
            self.close()
        except BaseException:  # an interrupt too must not leave the temporary file; raised again
            self.abandon()
            raise


class BatchWriter(TableWriter):
    """Writes a file of Arrow batches, which takes a fifth of the time of Parquet.

    Only the run that wrote such a file reads it.
    """

    def _open(self, path: Path, compression: str) -> _Writer:
        return _BatchFile(path, self._schema, compression)


class _BatchFile:
    def __init__(self, path: Path, schema: pa.Schema, compression: str) -> None:
        options = pa.ipc.IpcWriteOptions(compression=compression, use_threads=False)
        self._sink = pa.OSFile(str(path), "wb")
        self._stream = pa.ipc.new_stream(self._sink, schema, options=options)

    def write_table(self, table: pa.Table, most: int, /) -> None:
        self._stream.write_table(table, most)

    def close(self) -> None:
        self._stream.close()
        self._sink.close()


def part_writer(table: str, path: Path, compression: str = "lz4") -> TableWriter:
    """Return a writer for a shard's file of a table. The ending of `path` decides the format."""
    kind = BatchWriter if path.suffix == BATCHES else TableWriter
    return kind(table, path, compression)


def write_table(table: str, records: Iterable[msgspec.Struct], path: Path) -> int:
    """Write all records to one Parquet file, and return the number of rows."""
    with TableWriter(table, path) as writer:
        for record in records:
            writer.add(record)
    return writer.rows
