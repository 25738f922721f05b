"""Signed shortcuts: an AEA container (profile 0, signed but not encrypted) around one archive.

Layout, from measurements on 187 real files: u32 little-endian length of the authentication data
at offset 8; with o = 12 + that length the root header is at o + 224, the segment table at o +
304 (256 entries of 40 bytes: original size, stored size, hash) and the segments from o + 18768.
A segment whose two sizes are equal is stored raw, the others are LZFSE. The payload is an Apple
Archive with one `Shortcut.wflow`. The authentication data can hold hashed personal ids: it is
never returned.
"""

import struct

from parsers.errors import ParseError
from parsers.lzfse_blocks import inflate

MAGIC = b"AEA1"
PAYLOAD_NAME = b"Shortcut.wflow"
_AUTH_LENGTH = struct.Struct("<I")
_SEGMENT = struct.Struct("<II32s")
_SEGMENTS = 256
_TABLE_AT = 304
_DATA_AT = 18768
_ENTRY_MAGIC = b"AA01"
_SIZE_WIDTHS = {b"A": 2, b"B": 4, b"C": 8}
_MAX_PAYLOAD = 64 * 1024 * 1024


def is_signed(data: bytes) -> bool:
    """Whether the bytes start like an AEA container."""
    return data.startswith(MAGIC)


def read_signed(data: bytes) -> bytes:
    """Return the property list inside a signed shortcut."""
    if len(data) < 12:
        raise ParseError("truncated", f"signed container of {len(data)} bytes")
    if data[4] or data[5] or data[6]:
        raise ParseError("encrypted", f"AEA profile {int.from_bytes(data[4:7], 'little')}, not 0")
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
            raise ParseError("too_large", "signed container inflates beyond 64 MiB")
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
