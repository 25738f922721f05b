"""Read binary and XML property lists within limits on size and depth.

The readers of XML and of unusual binary files are imported for the first file that needs them.
"""

import plistlib
from contextlib import suppress
from xml.parsers.expat import ExpatError

from parsers.errors import ParseError, UnusualError
from parsers.file_kinds import refuse_other_kind
from parsers.property_lists.fast_binary import TRAILER, read_ordinary_binary

__all__ = ["is_binary", "read_binary", "read_binary_strictly", "read_xml", "xml_start"]


BINARY_MAGIC = b"bplist00"
_CONTROL_CHARACTERS = bytes(code for code in range(32) if code not in b"\t\n\r")
_LARGEST_BITS = 128
_XML_STARTS = (b"<?xml", b"<!DOCTYPE plist", b"<plist")
MAX_OBJECTS = 500_000
"""Maximum number of values of a binary file, or of tags and entities of an XML file. Real files
have a tenth of it."""


def is_binary(data: bytes) -> bool:
    """Whether the bytes begin like a binary property list."""
    return data.startswith(BINARY_MAGIC)


def xml_start(data: bytes) -> bytes | None:
    """Return the XML without byte order mark and leading blanks, or None if it is not XML."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    trimmed = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return trimmed if trimmed.startswith(_XML_STARTS) else None


def read_binary(data: bytes) -> object:
    """Return the root object of a binary property list."""
    return read_binary_strictly(data)[0]


def read_binary_strictly(data: bytes) -> tuple[object, list[str]]:
    """Return the root object of a binary property list, and keys that a mapping repeats.

    The last value of a repeated key counts.
    """
    _check_trailer(data)
    with suppress(UnusualError):
        root, repeated = read_ordinary_binary(data)
        if not repeated:
            return root, []
    from parsers.property_lists.careful_binary import read_any_binary

    return read_any_binary(data)


def _check_trailer(data: bytes) -> None:
    # Before memory is allocated for counts that cannot fit the file.
    if len(data) < len(BINARY_MAGIC) + TRAILER.size:
        raise ParseError(
            "truncated",
            f"the binary property list has {len(data)} bytes, which is not a possible length",
        )
    offset_size, reference_size, count, _root, table = TRAILER.unpack(data[-TRAILER.size :])
    if not (offset_size and reference_size) or table + count * offset_size > len(data):
        raise ParseError("bad_property_list", "binary property list: trailer points past the end")
    if count > MAX_OBJECTS:
        raise ParseError(
            "too_many_nodes", f"binary property list: {count} objects, limit {MAX_OBJECTS}"
        )


def read_xml(data: bytes) -> tuple[object, bool]:
    """Return the root of an XML property list, and whether control characters were stripped.

    Raises:
        ParseError: the bytes are damaged, declare entities, or have too many elements.
    """
    from parsers.property_lists.fast_xml import read_ordinary_xml

    start = xml_start(data)
    if start is None:
        raise ParseError("unknown_format", "not an XML property list")
    refuse_other_kind(start)  # an XHTML page begins like an XML property list
    stripped = False
    if not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        clean = start.translate(None, _CONTROL_CHARACTERS)
        stripped = len(clean) != len(start)
        start = clean
    if b"<!ENTITY" in start:
        raise ParseError("entities", "XML property list declares entities")
    if start.count(b"<") + start.count(b"&") > MAX_OBJECTS:
        raise ParseError(
            "too_many_nodes", f"the XML property list has more than {MAX_OBJECTS} elements"
        )
    try:
        try:
            return read_ordinary_xml(start), stripped
        except UnusualError:
            root: object = plistlib.loads(start, fmt=plistlib.FMT_XML)
            _check_integers(root)
            return root, stripped
    except (ExpatError, plistlib.InvalidFileException, LookupError) as error:
        raise ParseError("bad_property_list", f"XML property list: {error}") from error
    except (ValueError, OverflowError, TypeError, AttributeError) as error:
        raise ParseError("bad_property_list", f"XML property list: bad value: {error}") from error


def _check_integers(root: object) -> None:
    # Hexadecimal integers have no other bound.
    pending = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, int) and value.bit_length() > _LARGEST_BITS:
            raise ValueError("an integer has more than 128 bits")
