"""Stream selected rows as a file: Parquet, CSV or JSON Lines."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

_FORMULA_SIGNS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""Characters with which a spreadsheet formula can begin, with blanks and full-width forms."""
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?"
)
_Written = Callable[[pa.Schema, Iterator[pa.RecordBatch]], Iterator[bytes]]


def parquet_of(schema: pa.Schema, rows: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """Yield the bytes of a Parquet file, one row group at a time."""
    sink = _Sink()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for batch in rows:
            writer.write_batch(batch)
            yield sink.drain()
    yield sink.drain()


def csv_of(schema: pa.Schema, rows: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """Yield the lines of a CSV file, beginning with the header.

    Lists and records are written as JSON, missing values as empty cells. Texts that a spreadsheet
    would execute as formulas are prefixed with an apostrophe.
    """
    yield _csv_lines([schema.names])
    for batch in rows:
        yield _csv_lines(row.values() for row in batch.to_pylist())


def jsonl_of(schema: pa.Schema, rows: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """Yield one line with a JSON object per row."""
    del schema
    for batch in rows:
        yield b"".join(msgspec.json.encode(row, enc_hook=str) + b"\n" for row in batch.to_pylist())


EXPORTS: dict[str, tuple[_Written, str]] = {
    "parquet": (parquet_of, "application/vnd.apache.parquet"),
    "csv": (csv_of, "text/csv; charset=utf-8"),
    "jsonl": (jsonl_of, "application/x-ndjson"),
}
"""For each file extension, the function that writes the format, and the content type."""


def _csv_lines(rows: Iterable[Iterable[object]]) -> bytes:
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerows([_flat(cell) for cell in row] for row in rows)
    return "".join(lines.written).encode("utf-8", "replace")


def _flat(value: Any) -> object:
    if isinstance(value, str):
        return _escape_formula(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return msgspec.json.encode(value, enc_hook=str).decode()
    return value


def _escape_formula(text: str) -> str:
    """Prefix a text with an apostrophe if a spreadsheet would read it as a formula.

    Plain numbers stay unchanged, whatever their sign.
    """
    runs = text[:1] in _FORMULA_SIGNS and text != ""
    return f"'{text}" if runs and not _NUMBER.fullmatch(text) else text


class _Lines:
    """Collects the lines of a CSV writer, and ends each of them with a line feed only.

    The CSV writer ends lines with a carriage return and a line feed, because it then quotes cells
    that contain either of them. Without quotes, some readers would end a line at a lone carriage
    return.
    """

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> int:
        """Store a line that ends with a line feed only; return the line's original length."""
        self.written.append(line.removesuffix("\r\n") + "\n")
        return len(line)


class _Sink(io.RawIOBase):
    """A buffer that stores written bytes until `drain` returns them."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """Return true, because the buffer accepts bytes."""
        return True

    def write(self, data: Any) -> int:
        """Append bytes to the buffer."""
        content = bytes(data)
        self._parts.append(content)
        self._size += len(content)
        return len(content)

    def tell(self) -> int:
        """Return the number of bytes written so far."""
        return self._size

    def drain(self) -> bytes:
        """Return the buffered bytes and empty the buffer."""
        content = b"".join(self._parts)
        self._parts.clear()
        return content
