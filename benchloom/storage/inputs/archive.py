"""Read members of zip archives and records of web archives in place, without unpacking them."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Capture
from benchloom.storage.inputs.objects import (
    SYSTEM_NAMES,
    InputLimits,
    SourceObject,
    readable_name,
    refused,
)
from benchloom.storage.seals import first_bytes

_ENCRYPTED = 0x1
_BOUNDED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Compression methods whose decoder can stop at a size limit. Other methods inflate whole
blocks."""
ZIP_FAULTS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError)


def is_archive(path: str) -> bool:
    """Return whether a file starts like a zip archive."""
    return first_bytes(path) in {b"PK\x03\x04", b"PK\x05\x06"}


def is_web_archive(path: str) -> bool:
    """Return whether a file is named like a web archive (WARC). Its content is not checked."""
    return path.endswith((".warc", ".warc.gz"))


def open_archive(file: Path | IO[bytes]) -> zipfile.ZipFile:
    """Open a zip archive and read its directory. Raises RejectedInputError if it is damaged."""
    try:
        return zipfile.ZipFile(file)
    except ZIP_FAULTS as error:
        message = f"the zip archive is damaged or cut off, so no entry can be read: {error}"
        raise RejectedInputError("bad_archive", message) from error


def iter_members(
    archive: zipfile.ZipFile, prefix: str, limits: InputLimits
) -> Iterator[SourceObject]:
    """Yield every file of a zip archive as an object with the name `<prefix>!<member>`, sorted."""
    for member in members_in_order(archive):
        yield member_object(archive, member, prefix, limits)


def members_in_order(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the directory entries of all files in a zip archive, sorted by name."""
    members = sorted(archive.infolist(), key=lambda m: (m.filename, m.header_offset))
    return [member for member in members if not (member.filename and member.is_dir())]


def member_object(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, prefix: str, limits: InputLimits
) -> SourceObject:
    """Return a file of a zip archive as an object with the name `<prefix>!<member>`."""
    return SourceObject(
        source_uri=f"{prefix}!{readable_name(member.filename)}",
        size=member.file_size,
        reader=_reader(archive, member, limits),
        problem=member_problem(member, limits),
    )


def member_problem(member: zipfile.ZipInfo, limits: InputLimits) -> RejectedInputError | None:
    """Return why a file of a zip archive must not be read, or None.

    The answer depends only on the file's entry in the archive's directory.
    """
    parts = member.filename.replace("\\", "/").split("/")
    parts = [part for part in parts if part not in {"", "."}] or [""]
    if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
        return RejectedInputError("path_escape", "the member's path leaves the archive")
    if "__MACOSX" in parts or parts[-1] in SYSTEM_NAMES or parts[-1].startswith("._"):
        return RejectedInputError("system_file", "left behind by an operating system")
    if member.flag_bits & _ENCRYPTED:
        return RejectedInputError("encrypted", "the member is encrypted")
    if member.compress_type not in _BOUNDED:
        message = f"compression method {member.compress_type} is neither stored nor deflated"
        return RejectedInputError("unsupported_compression", message)
    if member.file_size > limits.object_bytes:
        return RejectedInputError(
            "too_large", f"{member.file_size} bytes, limit {limits.object_bytes}"
        )
    if member.file_size > limits.ratio_floor and member.file_size > limits.ratio * max(
        1, member.compress_size
    ):
        return RejectedInputError(
            "inflates_too_much",
            f"{member.compress_size} bytes would become {member.file_size} bytes when unpacked",
        )
    return None


def _reader(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: InputLimits
) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with archive.open(member) as file:
                # A member can be larger than its entry in the directory says.
                data = file.read(min(member.file_size, limits.object_bytes) + 1)
        except ZIP_FAULTS as error:
            raise RejectedInputError("bad_member", f"damaged archive member: {error}") from error
        if len(data) > member.file_size:
            raise RejectedInputError(
                "bad_member",
                f"damaged archive member: it has more than the {member.file_size} bytes that the "
                "archive's directory states",
            )
        return data

    return read


def iter_archive(path: Path, prefix: str, limits: InputLimits) -> Iterator[SourceObject]:
    """Yield every stored response and page of a web archive as an object named `<prefix>!<url>`.

    Failed requests and damaged ranges of bytes become objects that cannot be read.
    """
    from benchloom.storage.web_archive import iter_records
    from benchloom.storage.web_archive.archive_records import Damage

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
    """Return the response that a web archive stores at the byte `offset`, as an input object."""

    def read() -> bytes:
        from benchloom.storage.web_archive import read_record

        with path.open("rb") as file:
            return read_record(file, path.name, offset).body

    return SourceObject(source_uri, size, read, capture=capture)
