"""Decode property lists and JSON into trees of limited size, and find repeated keys."""

import json
import plistlib
import re
from collections import Counter
from contextlib import suppress
from xml.parsers.expat import ExpatError

import msgspec

from parsers.errors import ParseError
from parsers.file_kinds import refuse_other_kind
from parsers.property_lists import is_binary, read_binary_strictly, read_xml, xml_start
from parsers.walk import MAX_NODES, MAX_TREE_DEPTH, check_bounds, check_json

Mapping = dict[str, object]
_ENCODER = msgspec.json.Encoder()
_COLON = re.compile(rb'"\s*:')
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


class Document:
    """A decoded file.

    `root` is its value; `duplicates` are keys that are repeated in one mapping, of which the last
    value counts.
    """

    def __init__(self, root: object, duplicates: list[str]) -> None:
        self.root = root
        self.duplicates = duplicates


def read_document(data: bytes) -> Document:
    """Decode a property list or a JSON text into a tree of limited size and depth."""
    if is_binary(data):
        root, repeated = read_binary_strictly(data)
        check_bounds(root)
        return Document(root, repeated)
    if xml_start(data) is not None:
        root, _ = read_xml(data)
        # Only a file with more keys than its tree may repeat a key; it is read again to find which.
        if data.count(b"<key>") + data.count(b"<key/>") > check_bounds(root):
            return Document(root, _duplicate_xml_keys(data.lstrip()))
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
        root = _read_json(text)
        if _colons(text) > _colons(_ENCODER.encode(root)):
            return Document(root, _duplicate_json_keys(text))
    return Document(root, [])


def _duplicate_xml_keys(data: bytes) -> list[str]:
    duplicates: list[str] = []

    class Tracked(Mapping):
        def __setitem__(self, key: str, value: object) -> None:
            if key in self:
                duplicates.append(str(key))
            super().__setitem__(key, value)

    with suppress(ValueError, ExpatError):
        plistlib.loads(data, fmt=plistlib.FMT_XML, dict_type=Tracked)
    return duplicates


def _duplicate_json_keys(text: bytes) -> list[str]:
    duplicates: list[str] = []

    def mapping(pairs: list[tuple[str, object]]) -> Mapping:
        members = dict(pairs)
        if len(members) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            duplicates.extend(key for key, count in counts.items() if count > 1)
        return members

    json.loads(text, object_pairs_hook=mapping)
    return duplicates


def _colons(text: bytes) -> int:
    # Matches a colon after a quote: one for each key, and some inside texts.
    return len(_COLON.findall(text))


def _read_json(text: bytes) -> object:
    refuse_other_kind(text)
    if not text.startswith((b"{", b"[")):
        raise ParseError("unknown_format", "the file is neither a property list nor JSON")
    check_json(text, MAX_TREE_DEPTH, MAX_NODES)
    try:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(text)
        # The standard library also reads lone surrogates and NaN.
        value: object = json.loads(text)
        if _HALF_CHARACTER.search(text):
            # A lone surrogate cannot be stored; it becomes U+FFFD.
            encoded = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
            value = json.loads(encoded.decode("utf-16", "replace"))
    except UnicodeDecodeError as error:
        raise ParseError("bad_text", f"JSON: {error.reason}") from error
    except ValueError as error:
        raise ParseError("bad_json", f"JSON: {error}") from error
    return value
