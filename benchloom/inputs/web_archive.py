"""Records of a web archive as objects, read in place."""

from collections.abc import Callable, Iterator
from pathlib import Path

from benchloom.errors import RejectedInputError
from benchloom.inputs.objects import InputLimits, SourceObject, readable_name, unreadable
from benchloom.web_archive import iter_records, read_record


def iter_archive(path: Path, prefix: str, limits: InputLimits) -> Iterator[SourceObject]:
    """Every captured answer and rendered page, as objects named `<prefix>!<url>`.

    Faults become objects that cannot be read, for the reason that was captured. An archive that
    breaks off gives its whole records, and one object that says where it broke.
    """
    try:
        for record in iter_records(path, limit=limits.object_bytes):
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
    except RejectedInputError as error:
        yield SourceObject(prefix, 0, unreadable(error.reason, error.message))


def _reader(path: Path, offset: int) -> Callable[[], bytes]:
    def read() -> bytes:
        with path.open("rb") as file:
            return read_record(file, path.name, offset).body

    return read
