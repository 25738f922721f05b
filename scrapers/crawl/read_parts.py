"""This module stores captures and their parsed content as rows of Arrow files.

A stage writes the files. Readers choose the columns they need, and have one batch of rows in memory
at a time. Captures are numbered in the order of archives and of positions in an archive.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa

from benchloom.core.records import Capture
from benchloom.storage.tables import load_table, records_of
from benchloom.storage.tables.arrays import record_batch
from benchloom.storage.tables.files import typed_faults
from benchloom.storage.web_archive.archive_records import Damage
from benchloom.storage.workspace import TemporaryFile, naming
from scrapers.crawl.readings import Reading
from scrapers.sites import is_shortcut_file

ROWS = 1024
"""The maximum number of captures in a batch of rows."""
BYTES = 16 * 1024 * 1024
"""The size of parsed content in bytes at which a batch ends before it has `ROWS` captures."""
READ = "read captures"
_DAMAGED = b"damaged"
_READING_COLUMNS = (
    pa.field("location", pa.string()),
    pa.field("is_file", pa.bool_(), nullable=False),
    pa.field("reading", pa.binary()),
)

R = TypeVar("R", bound=msgspec.Struct)


class Damaged(msgspec.Struct, frozen=True):
    """The damaged parts of an archive, which contain no readable record.

    `warc` is the path of the archive in the captures folder.
    """

    warc: str
    stretches: tuple[Damage, ...] = ()


class Batch(NamedTuple):
    """Consecutive captures as rows with the requested columns.

    `part` is the Arrow file, and `start` the number of the first capture. Possible columns are
    those of the table `captures`, `location` (the redirect target of a response), `is_file`
    (whether the body is a shortcut file) and `reading` (the parsed content, which `decoded`
    decodes, or null).
    """

    part: Path
    start: int
    rows: pa.RecordBatch

    def chosen(self, selection: Sequence[bool] | pa.Array) -> "Batch":
        """Return a batch of the rows for which `selection` is true; its `start` is meaningless."""
        mask = selection if isinstance(selection, pa.Array) else pa.array(selection, pa.bool_())
        return self._replace(rows=self.rows.filter(mask))

    def records(self, record: type[R]) -> list[R]:
        """Return the rows of the batch as records of type `record`, whose fields are columns."""
        return records_of(self.rows.to_pylist(), self.part, READ, record)


def decoded(reading: bytes) -> Reading:
    """Decode a value of the column `reading`, which is the parsed content of a capture."""
    return msgspec.msgpack.decode(reading, type=Reading)


def write_read(path: Path, read: Iterable[tuple[Capture, Reading | None]], damaged: Damaged) -> int:
    """Write an Arrow file of captures, their parsed content, and the damage of their archive.

    Return the number of captures. The content is None for captures that are not parsed.
    """
    table = load_table("captures")
    schema = _fields().with_metadata({_DAMAGED: msgspec.json.encode(damaged)})
    count = 0
    with _ipc_file(path, schema) as writer:
        for captures, readings in _batched(read):
            columns_read = (
                pa.array([capture.header("Location") for capture in captures], pa.string()),
                pa.array(map(is_shortcut_file, captures), pa.bool_()),
                pa.array(readings, pa.binary()),
            )
            columns = [*record_batch(table, captures).columns, *columns_read]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
            count += len(captures)
    return count


def _batched(
    read: Iterable[tuple[Capture, Reading | None]],
) -> Iterator[tuple[list[Capture], list[bytes | None]]]:
    captures: list[Capture] = []
    readings: list[bytes | None] = []
    size = 0
    for capture, reading in read:
        encoded = None if reading is None else msgspec.msgpack.encode(reading)
        captures.append(capture)
        readings.append(encoded)
        size += len(encoded or b"")
        if len(captures) == ROWS or size >= BYTES:
            yield captures, readings
            captures, readings, size = [], [], 0
    if captures:
        yield captures, readings


def _fields() -> pa.Schema:
    return pa.schema([*load_table("captures").arrow_schema(), *_READING_COLUMNS])


@contextmanager
def _ipc_file(path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatchFileWriter]:
    temporary = TemporaryFile(path)
    options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    try:
        with (
            naming(path),
            pa.OSFile(str(temporary.path), "wb") as sink,
            pa.ipc.new_file(sink, schema, options=options) as writer,
        ):
            yield writer
        temporary.commit()
    except BaseException:  # also after an interrupt: remove the temporary file, raise again
        temporary.discard()
        raise


class ReadCaptures:
    """A reader of the Arrow files that contain all captures and their parsed content."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts

    def batches(self, names: Sequence[str]) -> Iterator[Batch]:
        """Yield the columns `names` of all captures in batches, in the order of captures."""
        start = 0
        for part in self._parts:
            with _open_part(part, names) as file:
                for number in range(file.num_record_batches):
                    rows = file.get_batch(number)
                    yield Batch(part, start, rows)
                    start += rows.num_rows

    def backwards(self, names: Sequence[str], count: int) -> Iterator[Batch]:
        """Yield the same batches as `batches`, but the last one first.

        `count` is the total number of captures.
        """
        for part in reversed(self._parts):
            with _open_part(part, names) as file:
                for number in reversed(range(file.num_record_batches)):
                    rows = file.get_batch(number)
                    count -= rows.num_rows
                    yield Batch(part, count, rows)

    def damages(self) -> Iterator[tuple[str, Damage]]:
        """Yield the path of the archive and the damage, for each damaged part of any archive."""
        for part in self._parts:
            with _open_part(part, ()) as file:
                damage_record = msgspec.json.decode(file.schema.metadata[_DAMAGED], type=Damaged)
            for stretch in damage_record.stretches:
                yield damage_record.warc, stretch


@contextmanager
def _open_part(part: Path, names: Sequence[str]) -> Iterator[pa.RecordBatchFileReader]:
    fields = _fields()
    options = pa.ipc.IpcReadOptions(
        included_fields=[fields.get_field_index(name) for name in names], use_threads=False
    )
    with (
        typed_faults(part),
        pa.OSFile(str(part)) as source,
        pa.ipc.open_file(source, options=options) as file,
    ):
        yield file
