"""Read the fields of one message in Protocol Buffers, strictly and without a schema.

Format: https://protobuf.dev/programming-guides/encoding/. Groups (wire types 3 and 4) are
refused.
"""

import struct
from collections.abc import Collection, Iterator

import msgspec

from benchloom.core.records import Unknown
from parsers.errors import ParseError

MAX_FIELDS = 100_000
_MAX_OPAQUE = 200
_DOUBLE = struct.Struct("<d")
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Field(msgspec.Struct, frozen=True, gc=False):
    """A field of a message.

    `integer` contains a value of the wire type varint, and `payload` any other value.
    """

    number: int
    wire_type: int
    integer: int = 0
    payload: bytes = b""

    @property
    def is_message(self) -> bool:
        """Whether the value consists of bytes, such as a message or a text."""
        return self.wire_type == _BYTES

    @property
    def text(self) -> str:
        """Return the payload as text; raise ParseError if it is not UTF-8."""
        try:
            return self.payload.decode()
        except UnicodeDecodeError as error:
            raise ParseError("bad_blob", "a text field is not UTF-8") from error

    @property
    def double(self) -> float:
        """Return the 64-bit value as a floating-point number; raise ParseError for other fields."""
        if self.wire_type != _FIXED64:
            raise ParseError("bad_blob", "a number field is not 64 bits wide")
        value: float = _DOUBLE.unpack(self.payload)[0]
        return value


def read_fields(data: bytes) -> list[Field]:
    """Return the fields of a message in order; raise ParseError for any other bytes."""
    fields: list[Field] = []
    position, end = 0, len(data)
    while position < end:
        tag, position = _varint(data, position)
        number, wire_type = tag >> 3, tag & 7
        if number == 0:
            raise ParseError("bad_blob", "a field has the number 0, which is invalid")
        if len(fields) >= MAX_FIELDS:
            raise ParseError("bad_blob", f"the message has more than {MAX_FIELDS} fields")
        if wire_type == _VARINT:
            integer, position = _varint(data, position)
            fields.append(Field(number, wire_type, integer))
            continue
        if wire_type == _BYTES:
            length, position = _varint(data, position)
        elif wire_type in (_FIXED64, _FIXED32):
            length = 8 if wire_type == _FIXED64 else 4
        else:
            raise ParseError("bad_blob", f"unsupported wire type {wire_type}")
        if length > end - position:
            raise ParseError("bad_blob", "a field runs past the end")
        fields.append(Field(number, wire_type, payload=data[position : position + length]))
        position += length
    return fields


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            raise ParseError("bad_blob", "a number is cut off or longer than 64 bits")
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7


class Opaque:
    """Stores the fields of encoded messages that we cannot interpret, so that no data is lost."""

    def __init__(self) -> None:
        self.fields: list[Unknown] = []

    def add(self, path: str, field: Field) -> None:
        """Record one unknown field with its bytes in hexadecimal."""
        value_text = field.payload.hex() if field.payload else str(field.integer)
        self.fields.append(Unknown(f"{path}.{field.number}", value_text[:_MAX_OPAQUE]))

    def messages(self, data: bytes, path: str, numbers: Collection[int]) -> Iterator[Field]:
        """Yield the fields of a message that have one of the numbers and consist of bytes.

        All other fields of the message are recorded as unknown.
        """
        for field in read_fields(data):
            if field.number in numbers and field.is_message:
                yield field
            else:
                self.add(path, field)
