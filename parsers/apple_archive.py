"""Read signed shortcuts, which are AEA containers (profile 0, not encrypted) with one archive.

The layout was measured on 187 real files. The u32 (little-endian) at offset 8 is the length of the
authentication data. With o = 12 + that length, the root header is at o + 224, the segment table at
o + 304 (256 entries of 40 bytes: original size, stored size, hash), and the first segment at o +
18768. A segment with two equal sizes is stored raw; all others are LZFSE. The payload is an Apple
Archive with one `Shortcut.wflow`. The authentication data can contain hashed personal ids, so it is
never returned.

The decoder of the `lzfse` package takes no limit, and each block may hold up to 24 MB whatever its
header declares. So the block headers are read first: the declared sizes must sum up to the expected
size, and the blocks must end where the stream ends. A stream of several blocks is then decoded as
prefixes, each a few blocks longer than the one before, up to the first prefix that holds more than
its headers declared. Layout of LZFSE: https://github.com/lzfse/lzfse (lzfse_internal.h).
"""

import struct
from itertools import accumulate

import lzfse

from parsers.errors import ParseError

MAX_BLOCKS = 128
"""Maximum number of blocks of a stream. A block has up to 10,000 matches or 40,000 literals."""
_STEP = 4
"""Number of blocks that are decoded before their size is checked; they have at most 100 MB."""
_END = b"bvx$"
_HEAD = struct.Struct("<4sI")
_PACKED = struct.Struct("<3Q")
_V1 = struct.Struct("<II")
_V1_HEADER = 772
_20_BITS = (1 << 20) - 1
PAYLOAD_NAME = b"Shortcut.wflow"
_AUTH_LENGTH = struct.Struct("<I")
_SEGMENT = struct.Struct("<II32s")
_SEGMENTS = 256
_TABLE_AT = 304
_DATA_AT = 18768
_ENTRY_MAGIC = b"AA01"
_SIZE_WIDTHS = {b"A": 2, b"B": 4, b"C": 8}
_MAX_PAYLOAD = 64 * 1024 * 1024


def read_signed(data: bytes) -> bytes:
    """Return the property list in a signed shortcut.

    Raises:
        ParseError: the container is truncated, encrypted, damaged or too large.
    """
    if len(data) < 12:
        raise ParseError(
            "truncated",
            f"the signed container has {len(data)} bytes, which is not a possible length",
        )
    if data[4] or data[5] or data[6]:
        raise ParseError(
            "encrypted",
            f"the AEA profile is {int.from_bytes(data[4:7], 'little')}; only 0 is supported",
        )
    origin = 12 + _AUTH_LENGTH.unpack_from(data, 8)[0]
    if origin + _DATA_AT > len(data):
        raise ParseError("truncated", "signed container ends before its first segment")
    return _entry(_payload(data, origin))


def _payload(data: bytes, origin: int) -> bytes:
    position = origin + _DATA_AT
    chunks: list[bytes] = []
    total = 0
    for number in range(_SEGMENTS):
        size, stored, _digest = _SEGMENT.unpack_from(
            data, origin + _TABLE_AT + number * _SEGMENT.size
        )
        if not size:
            break
        total += size
        if total > _MAX_PAYLOAD:
            raise ParseError(
                "too_large", "the content of the signed container is larger than 64 MiB"
            )
        chunk = data[position : position + stored]
        if len(chunk) != stored:
            raise ParseError("truncated", "signed container ends inside a segment")
        position += stored
        chunks.append(chunk if size == stored else inflate(chunk, size))
    return b"".join(chunks)


def _entry(archive: bytes) -> bytes:
    position = 0
    while archive[position : position + 4] == _ENTRY_MAGIC:
        header_size = int.from_bytes(archive[position + 4 : position + 6], "little")
        header = archive[position + 6 : position + header_size]
        name, size = _fields(header)
        start = position + header_size
        if name.endswith(PAYLOAD_NAME):
            content = archive[start : start + size]
            if len(content) != size:
                raise ParseError("truncated", "archive entry ends early")
            return content
        if header_size < 6:
            break
        position = start + size
    raise ParseError("bad_signed_container", "no Shortcut.wflow in the archive")


def _fields(header: bytes) -> tuple[bytes, int]:
    # A field is a three-letter key, a one-letter type and a value: P strings have a u16 length,
    # A/B/C blobs and 1/2/4/8 integers a fixed width, * is a flag, S/T are times, F/G/H/I/J hashes.
    widths = {b"*": 0, b"1": 1, b"2": 2, b"4": 4, b"8": 8, b"S": 8, b"T": 12}
    widths |= {b"F": 4, b"G": 20, b"H": 32, b"I": 48, b"J": 64}
    name, size = b"", 0
    position = 0
    while position + 4 <= len(header):
        key, kind = header[position : position + 3], header[position + 3 : position + 4]
        position += 4
        if kind == b"P":
            length = int.from_bytes(header[position : position + 2], "little")
            value = header[position + 2 : position + 2 + length]
            position += 2 + length
            if key == b"PAT":
                name = value
        elif kind in _SIZE_WIDTHS:
            width = _SIZE_WIDTHS[kind]
            blob = int.from_bytes(header[position : position + width], "little")
            position += width
            if key == b"DAT":
                size = blob
        elif kind in widths:
            position += widths[kind]
        else:
            raise ParseError("bad_signed_container", f"unknown archive field type {kind!r}")
    return name, size


def inflate(stream: bytes, size: int) -> bytes:
    """Decode an LZFSE stream; the decoded content must have exactly `size` bytes."""
    ends, sizes = _blocks(stream)
    if sizes[-1:] != [size]:
        raise _fault("the blocks of a segment do not add up to its size")
    content = b""
    for last in [*range(_STEP - 1, len(ends) - 1, _STEP), len(ends) - 1]:
        content = _decode(stream[: ends[last]] + _END)
        if len(content) != sizes[last]:
            raise _fault("the size of a block differs from its header")
    return content


def _fault(message: str) -> ParseError:
    return ParseError("bad_signed_container", message)


def _decode(stream: bytes) -> bytes:
    try:
        content: bytes = lzfse.decompress(stream)
    except lzfse.error as error:
        raise _fault("damaged LZFSE segment") from error
    except MemoryError as error:
        # A block with more content than its header says makes the package double its buffer
        # until memory is exhausted.
        raise _fault("an LZFSE block has more content than its header declares") from error
    return content


def _blocks(stream: bytes) -> tuple[list[int], list[int]]:
    # The end of each block, and the declared size of all blocks up to that end.
    at = 0
    ends: list[int] = []
    declared: list[int] = []
    while stream[at : at + 4] != _END:
        if at + _HEAD.size + len(_END) > len(stream):
            raise _fault("an LZFSE segment ends inside a block")
        if len(ends) >= MAX_BLOCKS:
            raise _fault(f"an LZFSE segment has more than {MAX_BLOCKS} blocks")
        magic, size = _HEAD.unpack_from(stream, at)
        at += _length(stream, at, magic, size)
        if at + len(_END) > len(stream):
            raise _fault("an LZFSE segment ends inside a block")
        ends.append(at)
        declared.append(size)
    if at + len(_END) != len(stream):
        raise _fault("bytes follow the end of an LZFSE segment")
    return ends, list(accumulate(declared))


def _length(stream: bytes, at: int, magic: bytes, size: int) -> int:
    if magic == b"bvx-":
        return _HEAD.size + size
    if magic == b"bvxn":
        return 12 + int.from_bytes(stream[at + 8 : at + 12], "little")
    if at + _HEAD.size + _PACKED.size > len(stream):
        raise _fault("an LZFSE segment ends inside a block")
    if magic == b"bvx2":
        first, second, third = _PACKED.unpack_from(stream, at + _HEAD.size)
        return int((third & 0xFFFFFFFF) + (first >> 20 & _20_BITS) + (second >> 40 & _20_BITS))
    if magic == b"bvx1":
        literals, matches = _V1.unpack_from(stream, at + 20)
        return int(_V1_HEADER + literals + matches)
    raise _fault("an LZFSE block has an unknown type")
