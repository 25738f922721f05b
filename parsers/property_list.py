"""Property lists, binary and XML, read by the standard library within bounds.

`plistlib` returns cyclic arrays and accepts exponentially shared references without a word; those
are caught by the bounded walk of whoever reads the result (`parsers.walk`).
"""

import plistlib
import re
import struct
from xml.parsers.expat import ExpatError

from parsers.errors import ParseError

BINARY_MAGIC = b"bplist00"
_CONTROL_CHARACTERS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
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


def read_binary(data: bytes, dict_type: type[dict[str, object]] = dict) -> object:
    """The root object of a binary property list; its mappings are of `dict_type`.

    Raises:
        ParseError: bad_property_list or too_deep.
    """
    _check_trailer(data)
    try:
        return plistlib.loads(data, fmt=plistlib.FMT_BINARY, dict_type=dict_type)
    except RecursionError:
        raise ParseError("too_deep", "binary property list nests too deeply") from None
    except UnicodeDecodeError as error:
        raise ParseError("bad_text", f"binary property list: {error.reason}") from error
    except _BINARY_FAULTS as error:
        detail = str(error) or type(error).__name__
        raise ParseError("bad_property_list", f"binary property list: {detail[:200]}") from error


def _check_trailer(data: bytes) -> None:
    """Refuse a trailer whose counts cannot fit the file before anything is allocated for it."""
    if len(data) < len(BINARY_MAGIC) + _TRAILER.size:
        raise ParseError("truncated", f"binary property list of {len(data)} bytes")
    offset_size, reference_size, count, _root, table = _TRAILER.unpack(data[-_TRAILER.size :])
    if not (offset_size and reference_size) or table + count * offset_size > len(data):
        raise ParseError("bad_property_list", "binary property list: trailer points past the end")


def read_xml(data: bytes, dict_type: type[dict[str, object]] = dict) -> tuple[object, bool]:
    """The root object of an XML property list, and whether control characters were stripped.

    Its mappings are of `dict_type`.

    Raises:
        ParseError: bad_property_list, or entities where it declares its own.
    """
    start = xml_start(data)
    if start is None:
        raise ParseError("unknown_format", "not an XML property list")
    stripped = False
    if not start.startswith((b"\xff\xfe", b"\xfe\xff")) and _CONTROL_CHARACTERS.search(start):
        start = _CONTROL_CHARACTERS.sub(b"", start)
        stripped = True
    if b"<!ENTITY" in start:
        raise ParseError("entities", "XML property list declares entities")
    try:
        return plistlib.loads(start, fmt=plistlib.FMT_XML, dict_type=dict_type), stripped
    except RecursionError:
        raise ParseError("too_deep", "XML property list nests too deeply") from None
    except (ExpatError, plistlib.InvalidFileException, LookupError) as error:
        raise ParseError("bad_property_list", f"XML property list: {error}") from error
    except (ValueError, OverflowError, TypeError, AttributeError) as error:
        raise ParseError("bad_property_list", f"XML property list: bad value: {error}") from error
