"""Members of a zip archive, read in place, never unpacked to disk."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from benchloom.core.errors import RejectedInputError
from benchloom.storage.inputs.folder import SYSTEM_NAMES
from benchloom.storage.inputs.objects import InputLimits, SourceObject, readable_name
from benchloom.storage.sealing import first_bytes

_ENCRYPTED = 0x1
_BOUNDED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Methods whose decompression can stop at a size; others inflate whole blocks."""
ZIP_FAULTS = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError)


def is_archive(path: str) -> bool:
    """Whether the file starts like a zip archive."""
    return first_bytes(path) in {b"PK\x03\x04", b"PK\x05\x06"}


def open_archive(file: Path | IO[bytes], name: str) -> zipfile.ZipFile:
    """Open a zip archive and read its directory, or raise RejectedInputError."""
    try:
        return zipfile.ZipFile(file)
    except ZIP_FAULTS as error:
        raise RejectedInputError("bad_archive", f"{name}: {error}") from error


def iter_members(
    archive: zipfile.ZipFile, prefix: str, limits: InputLimits
) -> Iterator[SourceObject]:
    """Yield every file in an archive, sorted by name, named `<prefix>!<member>`."""
    for member in members_in_order(archive):
        yield member_object(archive, member, prefix, limits)


def members_in_order(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """List every file in an archive, sorted by name."""
    members = sorted(archive.infolist(), key=lambda m: (m.filename, m.header_offset))
    return [member for member in members if not (member.filename and member.is_dir())]


def member_object(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, prefix: str, limits: InputLimits
) -> SourceObject:
    """A member as an object named `<prefix>!<member>`."""
    return SourceObject(
        source_uri=f"{prefix}!{readable_name(member.filename)}",
        size=member.file_size,
        reader=_reader(archive, member, limits),
        problem=member_problem(member, limits),
    )


def member_problem(member: zipfile.ZipInfo, limits: InputLimits) -> RejectedInputError | None:
    """Return why a member must not be read, judged by its entry in the directory."""
    named = member.filename.replace("\\", "/").split("/")
    parts = [part for part in named if part not in {"", "."}] or [""]
    if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
        return RejectedInputError("path_escape", "the member's path leaves the archive")
    if "__MACOSX" in parts or parts[-1] in SYSTEM_NAMES or parts[-1].startswith("._"):
        return RejectedInputError("system_file", "left behind by an operating system")
    if member.flag_bits & _ENCRYPTED:
        return RejectedInputError("encrypted", "the member is encrypted")
    if member.compress_type not in _BOUNDED:
        message = f"packed by method {member.compress_type}, neither stored nor deflated"
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
            f"{member.compress_size} bytes stored, {member.file_size} bytes when read",
        )
    return None


def _reader(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: InputLimits
) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with archive.open(member) as file:
                # A member may hold more than its directory entry says.
                data = file.read(min(member.file_size, limits.object_bytes) + 1)
        except ZIP_FAULTS as error:
            raise RejectedInputError("bad_member", f"damaged archive member: {error}") from error
        if len(data) > member.file_size:
            raise RejectedInputError("bad_member", "more bytes than the archive's directory says")
        return data

    return read
