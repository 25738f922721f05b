"""Read unusual binary property lists object by object, or raise an error that names the fault.

This reader is slower than `fast_binary`, but not more lenient. It reads a file with unusual
contents (UIDs, nulls, integers of sixteen bytes, damaged objects without references to them),
or says why the file is refused; only reachable objects are read. It reads like plistlib except
for three rules: keys must be texts, integers have at most sixteen bytes, and objects together
are not longer than the file. It does not recurse: the caller that walks the result checks
depth, cycles and shared objects. See docs/decisions/0083.
"""

import plistlib
import struct
from datetime import datetime, timedelta

from parsers.errors import ParseError
from parsers.property_lists.fast_binary import EPOCH, MAX_REFERENCES, TRAILER

_SIMPLE: dict[int, object] = {0x00: None, 0x08: False, 0x09: True, 0x0F: b""}
_FLOATS = {0x22: struct.Struct(">f"), 0x23: struct.Struct(">d"), 0x33: struct.Struct(">d")}
_ENCODINGS = {0x50: ("ascii", 1), 0x60: ("utf-16-be", 2)}
_LARGEST_INTEGER = 0x14


def read_any_binary(data: bytes) -> tuple[object, list[str]]:
    """Return the root object, and the keys that a mapping repeats; their last value counts."""
    return _Reader(data).read()


def _fault(message: str) -> ParseError:
    return ParseError("bad_property_list", f"binary property list: {message}")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.end = len(data) - TRAILER.size
        trailer = TRAILER.unpack(data[self.end :])
        self.offset_size, self.reference_size, self.count, self.root, self.table = trailer
        self.left = len(data)
        self.references_left = MAX_REFERENCES
        self.objects: dict[int, object] = {}
        self.dicts: list[tuple[dict[str, object], list[int]]] = []
        self.lists: list[tuple[list[object], list[int]]] = []

    def read(self) -> tuple[object, list[str]]:
        pending = [self.root]
        while pending:
            number = pending.pop()
            if number not in self.objects:
                self.objects[number], references = self._object(number)
                pending.extend(references)
        repeated: list[str] = []
        for mapping, references in self.dicts:
            half = len(references) // 2
            for key, value in zip(references[:half], references[half:], strict=True):
                name = self.objects[key]
                if not isinstance(name, str):
                    raise _fault(f"a key must be a text, not a {type(name).__name__}")
                if name in mapping:
                    repeated.append(name)
                mapping[name] = self.objects[value]
        for sequence, references in self.lists:
            sequence.extend(map(self.objects.__getitem__, references))
        return self.objects[self.root], repeated

    def _object(self, number: int) -> tuple[object, list[int]]:
        # A list or mapping is still empty when it is returned; `read` fills it.
        if number >= self.count:
            raise _fault(f"an object refers to object {number}, but there are only {self.count}")
        entry_offset = self.table + number * self.offset_size
        at = int.from_bytes(self.data[entry_offset : entry_offset + self.offset_size], "big")
        token = self._bytes(at, 1)[0]
        kind, low = token & 0xF0, token & 0x0F
        if token in _SIMPLE:
            return _SIMPLE[token], []
        if kind == 0x10:
            return self._integer(token, at + 1), []
        if token in _FLOATS:
            number_read: float = _FLOATS[token].unpack(self._bytes(at + 1, _FLOATS[token].size))[0]
            return _date(number_read) if token == 0x33 else number_read, []
        if kind == 0x80:
            try:
                return plistlib.UID(int.from_bytes(self._bytes(at + 1, 1 + low), "big")), []
            except ValueError as error:
                raise _fault("a UID has more than 64 bits") from error
        size, start = self._size(low, at + 1)
        if kind == 0x40:
            return self._bytes(start, size), []
        if kind in _ENCODINGS:
            encoding, width = _ENCODINGS[kind]
            try:
                return self._bytes(start, size * width).decode(encoding), []
            except UnicodeDecodeError as error:
                message = f"binary property list: a text is not {encoding.upper()}"
                raise ParseError("bad_text", message) from error
        return self._container(kind, start, size)

    def _container(self, kind: int, start: int, size: int) -> tuple[object, list[int]]:
        if kind == 0xD0:
            mapping: dict[str, object] = {}
            self.dicts.append((mapping, references := self._references(start, 2 * size)))
            return mapping, references
        if kind == 0xA0:
            sequence: list[object] = []
            self.lists.append((sequence, references := self._references(start, size)))
            return sequence, references
        raise _fault(f"an object has the unknown kind 0x{kind:02X}")

    def _bytes(self, start: int, size: int) -> bytes:
        if start < 8 or start + size > self.end:
            raise _fault("an object runs past the end")
        # With overlapping objects a small file could become a large tree.
        self.left -= size
        if self.left < 0:
            raise _fault("two objects occupy the same bytes")
        return self.data[start : start + size]

    def _size(self, low: int, start: int) -> tuple[int, int]:
        if low != 0x0F:
            return low, start
        width = 1 << (self._bytes(start, 1)[0] & 3)
        return int.from_bytes(self._bytes(start + 1, width), "big"), start + 1 + width

    def _references(self, start: int, count: int) -> list[int]:
        width = self.reference_size
        packed = self._bytes(start, count * width)
        self.references_left -= count
        if self.references_left < 0:
            raise ParseError(
                "too_many_nodes", f"containers have more than {MAX_REFERENCES} references"
            )
        return [
            int.from_bytes(packed[at : at + width], "big") for at in range(0, len(packed), width)
        ]

    def _integer(self, token: int, start: int) -> int:
        if token > _LARGEST_INTEGER:
            raise _fault("an integer has more than 128 bits")
        width = 1 << (token & 0x0F)
        # Signed if it has eight bytes or more.
        return int.from_bytes(self._bytes(start, width), "big", signed=width >= 8)


def _date(seconds: float) -> datetime:
    try:
        return EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError) as error:
        raise _fault(f"a date is {seconds} seconds after 2001, which is out of range") from error
