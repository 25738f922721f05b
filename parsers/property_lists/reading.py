"""Property lists, binary and XML, read within bounds.

Ordinary files go through the fast readers beside this module, all others through `plistlib`, which
is the authority on what a file means. Both return cyclic arrays and exponentially shared references
without a word; those are caught by the bounded walk of whoever reads the result (`parsers.walk`).
"""

import plistlib
import struct
from contextlib import suppress
from xml.parsers.expat import ExpatError

from parsers.errors import ParseError
from parsers.property_lists.fast_binary import read_ordinary_binary
from parsers.property_lists.fast_xml import read_ordinary_xml
from parsers.property_lists.unusual import UnusualError

BINARY_MAGIC = b"bplist00"
_CONTROL_CHARACTERS = bytes(code for code in range(32) if code not in b"\t\n\r")
_TRAILER = struct.Struct(">6xBBQQQ")
_XML_STARTS = (b"<?xml", b"<!DOCTYPE plist", b"<plist")
_BINARY_FAULTS = (
    plistlib.InvalidFileException,
    ValueError,  # bad dates, bad text
    OverflowError,  # absurd dates, absurd counts
    IndexError,
    KeyError,
    TypeError,  # a container as a dictionary key
    struct.error,
    MemoryError,
    EOFError,
)


def is_binary(data: bytes) -> bool:
    """Whether the bytes start like a binary property list."""
    return data.startswith(BINARY_MAGIC)


def xml_start(data: bytes) -> bytes | None:
    """The bytes from the XML start on, after a byte order mark and blanks; None if not XML."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    trimmed = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return trimmed if trimmed.startswith(_XML_STARTS) else None


def read_binary(data: bytes) -> object:
    """The root object of a binary property list.

    Raises:
        ParseError: bad_property_list or too_deep.
    """
    _check_trailer(data)
    with suppress(UnusualError):
        return read_ordinary_binary(data)
    try:
        return plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    except RecursionError:
        raise ParseError("too_deep", "binary property list nests too deeply") from None
    except _BINARY_FAULTS as error:
        if isinstance(error.__context__, UnicodeDecodeError):
            raise ParseError("bad_text", "binary property list: a text is not UTF-16") from error
        detail = str(error) or type(error).__name__
        raise ParseError("bad_property_list", f"binary property list: {detail[:200]}") from error


def _check_trailer(data: bytes) -> None:
    """Refuse a trailer whose counts cannot fit the file before anything is allocated for it."""
    if len(data) < len(BINARY_MAGIC) + _TRAILER.size:
        raise ParseError("truncated", f"binary property list of {len(data)} bytes")
    offset_size, reference_size, count, _root, table = _TRAILER.unpack(data[-_TRAILER.size :])
    if not (offset_size and reference_size) or table + count * offset_size > len(data):
        raise ParseError("bad_property_list", "binary property list: trailer points past the end")


def read_xml(data: bytes) -> tuple[object, bool]:
    """The root object of an XML property list, and whether control characters were stripped.

    Raises:
        ParseError: bad_property_list, or entities where it declares its own.
    """
    start = xml_start(data)
    if start is None:
        raise ParseError("unknown_format", "not an XML property list")
    stripped = False
    if not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        clean = start.translate(None, _CONTROL_CHARACTERS)
        stripped = len(clean) != len(start)
        start = clean
    if b"<!ENTITY" in start:
        raise ParseError("entities", "XML property list declares entities")
    try:
        try:
            return read_ordinary_xml(start), stripped
        except UnusualError:
            return plistlib.loads(start, fmt=plistlib.FMT_XML), stripped
    except RecursionError:
        raise ParseError("too_deep", "XML property list nests too deeply") from None
    except (ExpatError, plistlib.InvalidFileException, LookupError) as error:
        raise ParseError("bad_property_list", f"XML property list: {error}") from error
    except (ValueError, OverflowError, TypeError, AttributeError) as error:
        raise ParseError("bad_property_list", f"XML property list: bad value: {error}") from error
