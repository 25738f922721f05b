"""Inflate LZFSE streams up to a maximum size, checking blocks against their headers first.

The decoder of the `lzfse` package takes no limit, and each block may hold up to 24 MB whatever
its header declares. So the block headers are read first: the declared sizes must sum up to the
expected size, and the blocks must end where the stream ends. A stream of several blocks is then
decoded as prefixes, each a few blocks longer than the one before, up to the first prefix that
holds more than its headers declared. Layout: https://github.com/lzfse/lzfse (lzfse_internal.h).
"""

import struct
from itertools import accumulate

import lzfse

from parsers.errors import ParseError

MAX_BLOCKS = 128
"""Limit per stream; a block has up to 10,000 matches or 40,000 literals."""
_STEP = 4
"""Blocks decoded before their size is checked; at most 100 MB."""
_END = b"bvx$"
_HEAD = struct.Struct("<4sI")
_PACKED = struct.Struct("<3Q")
_V1 = struct.Struct("<II")
_V1_HEADER = 772
_20_BITS = (1 << 20) - 1


def inflate(stream: bytes, size: int) -> bytes:
    """Return the content of a stream, which must have exactly `size` bytes."""
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
        raise _fault("an LZFSE block without an end") from error
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
            raise _fault(f"an LZFSE segment of more than {MAX_BLOCKS} blocks")
        magic, size = _HEAD.unpack_from(stream, at)
        at += _length(stream, at, magic, size)
        if at + len(_END) > len(stream):
            raise _fault("an LZFSE segment ends inside a block")
        ends.append(at)
        declared.append(size)
    if at + len(_END) != len(stream):
        raise _fault("bytes after the end of an LZFSE segment")
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
    raise _fault("an unknown LZFSE block")
