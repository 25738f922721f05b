"""Records of a web archive as objects, read in place."""

from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Capture
from benchloom.storage.inputs.objects import InputLimits, SourceObject, readable_name, refused
from benchloom.storage.web_archive import iter_records, read_record
from benchloom.storage.web_archive.scanning import Damage


def iter_archive(path: Path, prefix: str, limits: InputLimits) -> Iterator[SourceObject]:
    """Yield every captured response and rendered page as an object named `<prefix>!<url>`.

    A captured fault, and a damaged range, named by its position, become unreadable objects.
    """
    for record in iter_records(path, limit=limits.object_bytes):
        if isinstance(record, Damage):
            message = f"{record.length} bytes from byte {record.offset} on: {record.message}"
            damage_uri = f"{prefix}!bytes={record.offset}+{record.length}"
            yield refused(damage_uri, RejectedInputError("bad_web_archive", message))
            continue
        capture = record.capture
        source_uri = f"{prefix}!{readable_name(capture.url)}"
        if capture.kind == "revisit":
            continue
        if capture.kind == "fault":
            reason = capture.fault or "unknown"
            problem = RejectedInputError(reason, "no usable response was captured")
            yield refused(source_uri, problem, capture)
            continue
        yield captured_object(path, source_uri, capture.body_bytes, capture.offset, capture)


def captured_object(
    path: Path, source_uri: str, size: int, offset: int, capture: Capture | None = None
) -> SourceObject:
    """Return the capture in the record at `offset` as an object."""

    def read() -> bytes:
        with path.open("rb") as file:
            return read_record(file, path.name, offset).body

    return SourceObject(source_uri, size, read, capture=capture)
