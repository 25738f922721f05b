"""Decode ordinary binary property lists without recursion, twice as fast as plistlib.

Every object of the offset table is decoded once, then containers are filled by index. Anything
unusual (sets, UIDs, 16-byte integers, absurd dates, keys that are not texts, indices out of
range) raises `UnusualError`, and the caller uses `careful_binary`, which decides how to read
the file. See docs/decisions/0003 and 0083.
"""

import struct
from collections.abc import Sequence
from datetime import datetime, timedelta

from parsers.errors import UnusualError

TRAILER = struct.Struct(">6xBBQQQ")
_DOUBLE = struct.Struct(">d")
_FLOAT = struct.Struct(">f")
EPOCH = datetime(2001, 1, 1)  # noqa: DTZ001  plistlib's dates carry no zone either
_WIDTH_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}
MAX_REFERENCES = 500_000
"""Maximum number of references from containers. Many references may lead to one object."""
_COUNT_WIDTHS = {0x10: 1, 0x11: 2, 0x12: 4, 0x13: 8}
_HEADER = 8
_BOOLEANS = (0x08, 0x09)
_SHORT = 64
_SHORT_READERS = {
    size: [struct.Struct(f">{count}{code}").unpack_from for count in range(_SHORT)]
    for size, code in _WIDTH_CODES.items()
}
_FAULTS = (IndexError, KeyError, TypeError, ValueError, OverflowError, struct.error, MemoryError)


def read_ordinary_binary(data: bytes) -> tuple[object, bool]:
    """Return the root object, and whether a mapping repeats a key.

    Raises UnusualError if the file is damaged or has unusual contents.
    """
    offset_size, reference_size, count, root, table = TRAILER.unpack(data[-TRAILER.size :])
    try:
        offsets = _integers(data, table, count, offset_size)
        if min(offsets) < _HEADER:
            raise UnusualError
        objects, dicts, lists = _decode(data, offsets, reference_size)
        repeated = _fill(objects, dicts, lists)
        return objects[root], repeated
    except _FAULTS as error:
        raise UnusualError from error


def _integers(data: bytes, start: int, count: int, size: int) -> Sequence[int]:
    if size in _WIDTH_CODES:
        return struct.unpack_from(f">{count}{_WIDTH_CODES[size]}", data, start)
    stop = start + size * count
    return [int.from_bytes(data[at : at + size], "big") for at in range(start, stop, size)]


_Dict = tuple[dict[str, object], int, Sequence[int]]
_List = tuple[list[object], Sequence[int]]


def _decode(
    data: bytes, offsets: Sequence[int], reference_size: int
) -> tuple[list[object], list[_Dict], list[_List]]:
    # One loop without calls per object: reading a binary file spends most of its time here.
    objects: list[object] = []
    add = objects.append
    dicts: list[_Dict] = []
    lists: list[_List] = []
    short = _SHORT_READERS[reference_size]
    to_integer = int.from_bytes
    end = len(data) - TRAILER.size
    left = len(data)
    references_left = MAX_REFERENCES
    for offset in offsets:
        token = data[offset]
        start = offset + 1
        if token < 0x40:
            add(_scalar(data, token, start, end))
            continue
        kind, count = token & 0xF0, token & 0x0F
        if count == 0x0F:
            width = _COUNT_WIDTHS[data[start]]
            count = to_integer(data[start + 1 : start + 1 + width], "big")
            start += 1 + width
        left -= count  # objects that overlap would make a small file a large tree
        if start + count > end or left < 0:
            raise UnusualError
        if kind == 0xD0:
            pairs = count + count
            references_left -= pairs
            if references_left < 0:
                raise UnusualError
            mapping: dict[str, object] = {}
            references = (
                short[pairs](data, start)
                if pairs < _SHORT
                else _integers(data, start, pairs, reference_size)
            )
            dicts.append((mapping, count, references))
            add(mapping)
        elif kind == 0x50:
            add(data[start : start + count].decode("ascii"))
        elif kind == 0xA0:
            sequence: list[object] = []
            references_left -= count
            if references_left < 0:
                raise UnusualError
            lists.append((sequence, _integers(data, start, count, reference_size)))
            add(sequence)
        elif kind == 0x60:
            if start + 2 * count > end:
                raise UnusualError
            add(data[start : start + 2 * count].decode("utf-16-be"))
        elif kind == 0x40:
            add(data[start : start + count])
        else:
            raise UnusualError
    return objects, dicts, lists


def _scalar(data: bytes, token: int, start: int, end: int) -> object:
    if start + (1 << (token & 0x0F)) > end and token not in _BOOLEANS:
        raise UnusualError
    if token == 0x09:
        return True
    if token == 0x08:
        return False
    if 0x10 <= token <= 0x13:
        width = 1 << (token & 0x0F)
        # Eight-byte integers are signed, shorter ones are not.
        return int.from_bytes(data[start : start + width], "big", signed=width == 8)
    if token == 0x23:
        return _DOUBLE.unpack_from(data, start)[0]
    if token == 0x22:
        return _FLOAT.unpack_from(data, start)[0]
    if token == 0x33:
        return EPOCH + timedelta(seconds=_DOUBLE.unpack_from(data, start)[0])
    raise UnusualError


def _fill(objects: list[object], dicts: list[_Dict], lists: list[_List]) -> bool:
    repeated = False
    for mapping, count, references in dicts:
        value = count
        for key in references[:count]:
            name = objects[key]
            if type(name) is not str:
                raise UnusualError
            mapping[name] = objects[references[value]]
            value += 1
        repeated = repeated or len(mapping) != count
    look_up = objects.__getitem__
    for sequence, references in lists:
        sequence.extend(map(look_up, references))
    return repeated
