"""Write examples as rows of Parquet files, one file per split, in groups of 128 rows."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats.base import ExampleWriter, file_stem

RowOf: TypeAlias = Callable[[Example], tuple[dict[str, object], tuple[Loss, ...]]]
_ROWS = 128


class RowFiles:
    """Writes rows with the same schema to one or more Parquet files in a folder."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        self._folder = folder
        self._schema = schema
        self._files: dict[str, pq.ParquetWriter] = {}
        self._rows: dict[str, list[dict[str, object]]] = {}

    def add(self, stem: str, row: dict[str, object]) -> None:
        """Buffer a row for the file `<stem>.parquet`; write the buffer when it is full."""
        waiting = self._rows.setdefault(stem, [])
        waiting.append(row)
        if len(waiting) >= _ROWS:
            self._write(stem)

    def close(self) -> None:
        """Write the buffered rows, and close the files."""
        # All files are closed even if writing fails, for example on a full disk.
        with ExitStack() as closing:
            for file in self._files.values():
                closing.callback(_close, file)
            for stem in self._rows:
                self._write(stem, closing)

    def _write(self, stem: str, closing: ExitStack | None = None) -> None:
        rows = self._rows[stem]
        if not rows:
            return
        if stem not in self._files:
            path = self._folder / f"{stem}.parquet"
            self._files[stem] = pq.ParquetWriter(path, self._schema, compression="zstd")
            if closing is not None:
                closing.callback(_close, self._files[stem])
        columns = [_column([row[field.name] for row in rows], field.type) for field in self._schema]
        self._files[stem].write_table(pa.table(columns, schema=self._schema))
        rows.clear()


def _close(file: pq.ParquetWriter) -> None:
    """Close a file once; pyarrow would close it again when the object is released."""
    file.is_open = False
    try:
        file.writer.close()
    finally:
        if file.file_handle is not None:
            file.file_handle.close()


class ParquetWriter(ExampleWriter):
    """Writes each example as a Parquet row, one file per split; `row_of` makes the row."""

    def __init__(self, folder: Path, schema: pa.Schema, row_of: RowOf) -> None:
        self._files = RowFiles(folder, schema)
        self._row_of = row_of

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write the example as a row, unless the format cannot store it at all."""
        row, losses = self._row_of(example)
        if not any(loss.whole for loss in losses):
            self._files.add(file_stem(example), row)
        return losses

    def close(self) -> None:
        """Write the buffered rows, and close the files."""
        self._files.close()


def _column(values: list[object], kind: pa.DataType) -> pa.Array:
    """Convert values to an Arrow array of type `kind`.

    Lists of JSON are built from lists of texts, because pyarrow cannot convert them directly.
    """
    if not (pa.types.is_list(kind) and kind.value_type == pa.json_()):
        return pa.array(values, kind)
    texts = pa.array(values, pa.list_(pa.string()))
    json_array = pa.ExtensionArray.from_storage(pa.json_(), texts.values)
    return pa.ListArray.from_arrays(texts.offsets, json_array, type=kind)
