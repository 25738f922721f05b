"""Records of a web archive as objects, read in place."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchloom.inputs.objects import InputLimits, SourceObject, readable_name, unreadable
from benchloom.web_archive import iter_records, read_record
from benchloom.web_archive.scanning import Damage


def iter_archive(path: Path, prefix: str, limits: InputLimits) -> Iterator[SourceObject]:
    """Every captured answer and rendered page, as objects named `<prefix>!<url>`.

    Faults become objects that cannot be read, for the reason that was captured; so does every
    damaged stretch of the archive, named by its place.
    """
    for record in iter_records(path, limit=limits.object_bytes):
        if isinstance(record, Damage):
            message = f"{record.length} bytes from byte {record.offset} on: {record.message}"
            place = f"{prefix}!bytes={record.offset}+{record.length}"
            yield SourceObject(place, 0, unreadable("bad_web_archive", message))
            continue
        capture = record.capture
        source_uri = f"{prefix}!{readable_name(capture.url)}"
        if capture.kind == "revisit":
            continue
        if capture.kind == "fault":
            refuse = unreadable(capture.fault or "unknown", "no usable answer was captured")
            yield SourceObject(source_uri, 0, refuse, capture=capture)
            continue
        reader = _reader(path, capture.offset)
        yield SourceObject(source_uri, capture.body_bytes, reader, capture=capture)


def _reader(path: Path, offset: int) -> Callable[[], bytes]:
    def read() -> bytes:
        with path.open("rb") as file:
            return read_record(file, path.name, offset).body

    return read
