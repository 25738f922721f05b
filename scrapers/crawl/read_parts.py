"""Stores parsed captures in Arrow files: each row is a capture and its parsed content.

A stage writes these files; consumers read the files with one batch in memory at a time, and
request the columns they need. Captures are numbered by archive and position in it.
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
"""Maximum number of captures in a batch."""
BYTES = 16 * 1024 * 1024
"""Size of parsed content, in bytes, at which a batch ends early."""
READ = "read captures"
_DAMAGED = b"damaged"
_READING_COLUMNS = (
    pa.field("location", pa.string()),
    pa.field("is_file", pa.bool_(), nullable=False),
    pa.field("reading", pa.binary()),
)

R = TypeVar("R", bound=msgspec.Struct)


class Damaged(msgspec.Struct, frozen=True):
    """A part of an archive that contains no readable record."""

    warc: str
    stretches: tuple[Damage, ...] = ()


class Batch(NamedTuple):
    """Consecutive captures: the number of the first one, and the requested columns.

    Possible columns are those of table `captures`, `location` (the redirect target of a
    response), `is_file` (whether the capture is the bytes of a shortcut) and `reading` (see
    `decoded`; null if the body is not parsed).
    """

    part: Path
    start: int
    rows: pa.RecordBatch

    def chosen(self, selection: Sequence[bool] | pa.Array) -> "Batch":
        """Return a batch of the captures in `selection`; it no longer has capture numbers."""
        mask = selection if isinstance(selection, pa.Array) else pa.array(selection, pa.bool_())
        return self._replace(rows=self.rows.filter(mask))

    def records(self, record: type[R]) -> list[R]:
        """Return the captures of the batch as records of type `record`."""
        return records_of(self.rows.to_pylist(), self.part, READ, record)


def decoded(reading: bytes) -> Reading:
    """Decode a value of the column `reading`, the parsed content of a capture."""
    return msgspec.msgpack.decode(reading, type=Reading)


def write_read(path: Path, read: Iterable[tuple[Capture, Reading | None]], damaged: Damaged) -> int:
    """Write a file of captures and their parsed content; return the number of captures."""
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
    """Reads the files that contain all captures and their parsed content, in capture order."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts

    def batches(self, names: Sequence[str]) -> Iterator[Batch]:
        """Yield the columns `names` of all stored responses in batches.

        The order is that of the archives, and within an archive that of the positions.
        """
        start = 0
        for part in self._parts:
            with _open_part(part, names) as file:
                for number in range(file.num_record_batches):
                    rows = file.get_batch(number)
                    yield Batch(part, start, rows)
                    start += rows.num_rows

    def backwards(self, names: Sequence[str], count: int) -> Iterator[Batch]:
        """Yield the batches from last to first; `count` is the total number of captures."""
        for part in reversed(self._parts):
            with _open_part(part, names) as file:
                for number in reversed(range(file.num_record_batches)):
                    rows = file.get_batch(number)
                    count -= rows.num_rows
                    yield Batch(part, count, rows)

    def damages(self) -> Iterator[tuple[str, Damage]]:
        """Yield the parts of archives without a readable record, with the archive's path."""
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
