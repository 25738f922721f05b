"""List files in folders and archives, and in archives inside archives, such as app bundles.

An uncompressed member is read directly from the outer file. A compressed member is read as a
stream, which restarts if a reader seeks backwards. No member is unpacked to disk or loaded whole
into memory. A live SQLite database is read as one consistent copy with its write-ahead log.
"""

import io
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

from benchloom.core.errors import RejectedInputError
from benchloom.storage.inputs.archive import (
    ZIP_FAULTS,
    is_archive,
    iter_members,
    member_problem,
    open_archive,
)
from benchloom.storage.inputs.listing import each_file, nothing_under
from benchloom.storage.inputs.objects import (
    InputLimits,
    SourceObject,
    file_object,
    read_file,
    readable_name,
    refused,
)

SQLITE_MAGIC = b"SQLite format 3\0"


def is_database(path: Path) -> bool:
    """Return whether a file starts like an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


def read_database(path: Path, limit: int) -> bytes:
    """Return the bytes of an SQLite database, including the changes in its write-ahead log.

    The file is opened read-only. Raises RejectedInputError if it is too large or damaged.
    """
    real = path.resolve()
    log = real.with_name(real.name + "-wal")
    if not log.is_file() or not log.stat().st_size:
        return read_file(path, limit)
    if real.stat().st_size + log.stat().st_size > limit:
        raise RejectedInputError(
            "too_large", f"the file has {real.stat().st_size} bytes; the limit is {limit}"
        )
    try:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.sqlite"
            with closing(sqlite3.connect(f"{real.as_uri()}?mode=ro", uri=True)) as connection:
                connection.execute("VACUUM INTO ?", (str(copy),))
            return read_file(copy, limit)
    except sqlite3.Error as error:
        raise RejectedInputError("bad_database", f"SQLite: {error}") from error


ARCHIVE_SUFFIXES = (".ipa", ".zip")
MAX_DEPTH = 3
"""Maximum number of archives inside each other."""
MAX_MEMBERS = 200_000
_STREAM_BYTES = 2 * 1024 * 1024 * 1024
_LOCAL_HEADER = struct.Struct("<4s22xHH")


def list_nested_objects(
    inputs: Sequence[Path], stack: ExitStack, limits: InputLimits | None = None
) -> list[SourceObject]:
    """List every object as `list_objects` does, and also those in archives inside archives.

    SQLite databases on disk are read as one consistent copy. `stack` keeps archives open until the
    objects have been read.
    """
    walk = _Walk(stack, limits or InputLimits())
    objects: list[SourceObject] = []
    for file in each_file(inputs):
        objects.extend([file.fault] if file.fault else walk.file(Path(file.path), file.source_uri))
    if not objects:
        raise nothing_under(inputs)
    return sorted(objects, key=lambda source_object: source_object.source_uri)


class _Walk:
    def __init__(self, stack: ExitStack, limits: InputLimits) -> None:
        self.stack = stack
        self.limits = limits

    def file(self, path: Path, source_uri: str) -> Iterator[SourceObject]:
        if path.is_file() and is_archive(str(path)):
            yield from self._archive(path, source_uri, 1)
        elif path.is_file() and is_database(path):
            limit = self.limits.object_bytes
            size = path.stat().st_size
            yield SourceObject(source_uri, size, lambda: read_database(path, limit))
        else:
            yield file_object(str(path), source_uri, self.limits)

    def _archive(self, file: Path | IO[bytes], uri: str, depth: int) -> Iterator[SourceObject]:
        try:
            archive = self.stack.enter_context(open_archive(file))
        except RejectedInputError as error:
            yield refused(uri, error)
            return
        if len(archive.infolist()) > MAX_MEMBERS:
            yield refused(uri, RejectedInputError("too_many_members", f"over {MAX_MEMBERS}"))
            return
        inner: dict[str, zipfile.ZipInfo] = {
            f"{uri}!{readable_name(member.filename)}": member
            for member in archive.infolist()
            if member.filename.lower().endswith(ARCHIVE_SUFFIXES)
        }
        for member in iter_members(archive, uri, self.limits):
            if member.source_uri not in inner:
                yield member
                continue
            yield from self._inner(archive, inner[member.source_uri], member.source_uri, depth)

    def _inner(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, uri: str, depth: int
    ) -> Iterator[SourceObject]:
        problem = member_problem(member, self.limits)
        if problem is not None and problem.reason != "too_large":
            yield refused(uri, problem)
            return
        if depth >= MAX_DEPTH:
            yield refused(
                uri,
                RejectedInputError(
                    "nested_too_deep", f"the file is inside more than {MAX_DEPTH} nested archives"
                ),
            )
            return
        try:
            opened = self.stack.enter_context(_open_member(archive, member))
        except RejectedInputError as error:
            yield refused(uri, error)
            return
        yield from self._archive(opened, uri, depth + 1)


def _open_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    try:
        if member.compress_type == zipfile.ZIP_STORED and archive.fp is not None:
            return io.BufferedReader(Window(archive.fp, member))
        if member.file_size > _STREAM_BYTES:
            raise RejectedInputError(
                "too_large",
                f"the archive has {member.file_size} bytes; the limit is {_STREAM_BYTES}",
            )
        return archive.open(member)
    except ZIP_FAULTS as error:
        raise RejectedInputError("bad_member", f"damaged archive member: {error}") from error


class Window(io.RawIOBase):
    """A file object for an uncompressed archive member, which reads from the archive's file."""

    def __init__(self, outer: IO[bytes], member: zipfile.ZipInfo) -> None:
        super().__init__()
        self._outer = outer
        outer.seek(member.header_offset)
        header = outer.read(_LOCAL_HEADER.size)
        if len(header) != _LOCAL_HEADER.size or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("the archive's directory points to an offset without a file")
        _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        self._start = member.header_offset + _LOCAL_HEADER.size + name_length + extra_length
        self._size = member.compress_size
        self._position = 0

    def readable(self) -> bool:
        """Return True, because a member can be read."""
        return True

    def seekable(self) -> bool:
        """Return True, because the position in the member can be set."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position within the member, and return the new position."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise OSError("a seek before the start of an archive member")
        self._position = base + offset
        return self._position

    def tell(self) -> int:
        """Return the position within the member."""
        return self._position

    def readinto(self, buffer: "bytearray | memoryview[int]") -> int:  # type: ignore[override]  # the buffers that we pass
        """Read bytes of the member into the buffer, and return the number of bytes."""
        byte_count = min(len(buffer), max(0, self._size - self._position))
        if not byte_count:
            return 0
        self._outer.seek(self._start + self._position)
        data = self._outer.read(byte_count)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
