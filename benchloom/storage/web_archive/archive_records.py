"""Find the records of a web archive, including the records after a damaged range.

After an unreadable range, reading continues at the next gzip member or line that starts a record.
The time is at most proportional to the length of the file, and `limit` limits the memory, even if a
file was made to exhaust time or memory.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Generic, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError

GZIP_MAGIC = b"\x1f\x8b\x08"
FIRST_BYTES = b"WARC/"
_PIECE = 1 << 16
_STRETCH = 1 << 20
_HEADER_BYTES = 1 << 16
_SAMPLE_BYTES = 4096
# Limit of work per byte of the file: after damage, the same bytes may be read several times.
_WORK_PER_BYTE = 16
_MIN_WORK = 1 << 30
_WORK_PER_START = 1024
_LENGTH = re.compile(
    rb"^content-length:[ \t]*([0-9]{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LINE_BYTES = 16
_BETWEEN = b"\r\n\r\n"
_START_LINE = re.compile(rb"WARC/1\.[0-9]\r?\n")

T = TypeVar("T")


class Damage(msgspec.Struct, frozen=True):
    """A range of bytes of a web archive that contains no readable record, and the reason."""

    offset: int
    length: int
    message: str


class Placed(msgspec.Struct, Generic[T], frozen=True):
    """A parsed record of a web archive, and the position of its bytes in the archive file."""

    offset: int
    length: int
    record: T


class _Broken(Exception):  # noqa: N818  never leaves this module
    # `next_offset` is where the next record starts, None if this is uncertain.
    def __init__(self, message: str, work: int, next_offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.work = work
        self.next_offset = next_offset


def scan(
    file: IO[bytes], start: int, limit: int, read: Callable[[bytes], T]
) -> Iterator[Placed[T] | Damage]:
    """Yield every record from byte `start` on, parsed by `read`, and each damaged range.

    `read` gets the bytes of one record, with at most `limit` bytes of content, and raises
    RejectedInputError if they are not a valid record.
    """
    size = file.seek(0, 2)
    file.seek(start)
    head = file.read(len(FIRST_BYTES))
    compressed = not head.startswith(FIRST_BYTES) and not _is_plain(file, start, head)
    reader, following = (_member, _next_member) if compressed else (_plain, _next_plain)
    offset, work = start, _MIN_WORK + _WORK_PER_BYTE * size
    while offset < size:
        try:
            data, end = reader(file, offset, limit)
            try:
                record = read(data)
            except RejectedInputError as error:
                # The end of a gzip member is certain. The stated length of a plain record may be
                # wrong, so the range may contain other records.
                record_end = end if compressed else None
                raise _Broken(error.message, len(data), record_end) from error
        except _Broken as broken:
            work -= broken.work
            next_offset = broken.next_offset
            if next_offset is None:
                next_offset, spent = following(file, offset + 1, size, work)
                work -= spent
            end = size if next_offset is None or work < 0 else next_offset
            message = broken.message if work >= 0 else f"{broken.message}; too much damage to go on"
            yield Damage(offset, end - offset, message)
        else:
            yield Placed(offset, end - offset, record)
        offset = end


def read_at(file: IO[bytes], offset: int, limit: int) -> bytes:
    """Return the uncompressed bytes of the record at a byte offset.

    Raises RejectedInputError if there is no readable record.
    """
    file.seek(offset)
    reader = _plain if file.read(len(FIRST_BYTES)) == FIRST_BYTES else _member
    try:
        return reader(file, offset, limit)[0]
    except _Broken as broken:
        raise RejectedInputError("bad_web_archive", broken.message) from broken


def _is_plain(file: IO[bytes], start: int, head: bytes) -> bool:
    if head.startswith(GZIP_MAGIC):
        return False
    file.seek(start)
    return _START_LINE.search(file.read(_STRETCH)) is not None


def _member(file: IO[bytes], offset: int, limit: int) -> tuple[bytes, int]:
    file.seek(offset)
    inflater = zlib.decompressobj(31)
    pieces: list[bytes] = []
    size = read = 0
    while not inflater.eof:
        pending = inflater.unconsumed_tail or file.read(_PIECE)
        if not pending:
            raise _Broken("the record ends early", size + read)
        if not inflater.unconsumed_tail:
            read += len(pending)
        try:
            piece = inflater.decompress(pending, _STRETCH)
        except zlib.error as error:
            raise _Broken(f"a gzip member is damaged ({str(error)[:80]})", size + read) from error
        pieces.append(piece)
        size += len(piece)
        if size > limit + _HEADER_BYTES:
            raise _Broken(f"the record has more than {limit} bytes", size)
    return b"".join(pieces), offset + read - len(inflater.unused_data)


def _next_member(file: IO[bytes], offset: int, size: int, work: int) -> tuple[int | None, int]:
    # Returns the offset, None if there is no member or it needs more than `work`, and the work.
    spent = 0
    while offset < size and spent <= work:
        file.seek(offset)
        stretch = file.read(_STRETCH)
        at = stretch.find(GZIP_MAGIC)
        while at >= 0:
            file.seek(offset + at)
            if _starts_record(file.read(_SAMPLE_BYTES)):
                return offset + at, spent
            spent += _WORK_PER_START
            if spent > work:
                return None, spent
            at = stretch.find(GZIP_MAGIC, at + 1)
        offset += max(1, len(stretch) - len(GZIP_MAGIC) + 1)
    return None, spent


def _starts_record(sample: bytes) -> bool:
    if len(sample) > 3 and sample[3] & 0xE0:
        return False  # reserved flags of gzip, always 0
    try:
        return zlib.decompressobj(31).decompress(sample, len(FIRST_BYTES)) == FIRST_BYTES
    except zlib.error:
        return False


def _plain(file: IO[bytes], offset: int, limit: int) -> tuple[bytes, int]:
    file.seek(offset)
    head = file.read(_HEADER_BYTES)
    end = _HEADER_END.search(head)
    if not head.startswith(FIRST_BYTES) or end is None:
        raise _Broken("no record starts here", min(len(head), _SAMPLE_BYTES))
    length_match = _LENGTH.search(head, 0, end.end())
    if length_match is None:
        raise _Broken("the record has no length", _WORK_PER_START)
    length = int(length_match.group(1))
    after = offset + end.end() + length
    file.seek(after)
    rest = file.read(16)
    blanks = len(rest) - len(rest.lstrip(b"\r\n"))
    if after > file.seek(0, 2):
        raise _Broken("the record ends early", _WORK_PER_START)
    ends_well = rest.startswith(_BETWEEN) or not rest[blanks:]
    if not ends_well and not rest[blanks:].startswith(FIRST_BYTES):
        raise _Broken("the record has a wrong length", _WORK_PER_START)
    if length > limit:
        raise _Broken(f"the record has more than {limit} bytes", _WORK_PER_START, after + blanks)
    file.seek(offset)
    return file.read(after + blanks - offset), after + blanks


def _next_plain(file: IO[bytes], offset: int, size: int, work: int) -> tuple[int | None, int]:
    # The work is at most the distance to the next line.
    if work < 0:
        return None, 0
    start = offset
    while offset < size:
        file.seek(offset)
        stretch = file.read(_STRETCH)
        match = _START_LINE.search(stretch)
        if match is not None:
            return offset + match.start(), offset - start
        offset += max(1, len(stretch) - _LINE_BYTES)
    return None, size - start
