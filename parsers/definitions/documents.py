"""Property lists and JSON as bounded trees, with the keys that stand twice in one mapping."""

import json
import plistlib
import re
from collections import Counter
from contextlib import suppress
from xml.parsers.expat import ExpatError

from parsers.errors import ParseError
from parsers.property_lists import is_binary, read_binary, read_xml, xml_start
from parsers.walk import has_cycle

Mapping = dict[str, object]
MAX_NODES = 2_000_000
MAX_DEPTH = 200
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


class Document:
    """A decoded file: its root and the keys of which only the last value was kept."""

    def __init__(self, root: object, duplicates: list[str]) -> None:
        self.root = root
        self.duplicates = duplicates


def read_document(data: bytes) -> Document:
    """The tree of a property list or a JSON text.

    Raises:
        ParseError: unknown_format, a fault of the container, too_deep, too_many_nodes or cyclic.
    """
    if is_binary(data):
        root = read_binary(data)
        check_bounds(root)
        return Document(root, _repeated_keys(data, plistlib.FMT_BINARY))
    if xml_start(data) is not None:
        root, _ = read_xml(data)
        keys = check_bounds(root)
        # Fewer keys in the tree than in the text: some mapping has a key twice.
        if data.count(b"<key>") + data.count(b"<key/>") > keys:
            return Document(root, _repeated_keys(data.lstrip(), plistlib.FMT_XML))
        return Document(root, [])
    duplicates: list[str] = []
    root = _read_json(data, duplicates)
    check_bounds(root)
    return Document(root, duplicates)


def _repeated_keys(data: bytes, form: plistlib.PlistFormat) -> list[str]:
    """The keys that stand twice in one mapping of a property list that is known to be readable."""
    duplicates: list[str] = []

    class Tracked(Mapping):
        def __setitem__(self, key: str, value: object) -> None:
            if key in self:
                duplicates.append(str(key))
            super().__setitem__(key, value)

    with suppress(ValueError, ExpatError):
        plistlib.loads(data, fmt=form, dict_type=Tracked)
    return duplicates


def _read_json(data: bytes, duplicates: list[str]) -> object:
    trimmed = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not trimmed.startswith((b"{", b"[")):
        raise ParseError("unknown_format", "neither a property list nor JSON")

    def mapping(pairs: list[tuple[str, object]]) -> Mapping:
        found = dict(pairs)
        if len(found) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            duplicates.extend(key for key, count in counts.items() if count > 1)
        return found

    try:
        text = trimmed.decode()
        value: object = json.loads(text, object_pairs_hook=mapping)
        if _HALF_CHARACTER.search(trimmed):
            # A half character cannot be stored; it becomes U+FFFD.
            whole = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
            value = json.loads(whole.decode("utf-16", "replace"))
    except RecursionError:
        raise ParseError("too_deep", "JSON nests too deeply") from None
    except UnicodeDecodeError as error:
        raise ParseError("bad_text", f"JSON: {error.reason}") from error
    except ValueError as error:
        raise ParseError("bad_json", f"JSON: {error}") from error
    return value


def check_bounds(root: object) -> int:
    """Refuse a tree that holds itself, shares exponentially, or nests beyond what people write.

    Gives the number of keys in all its mappings.

    Raises:
        ParseError: cyclic, too_deep or too_many_nodes.
    """
    left = MAX_NODES
    keys = 0
    level: list[object] = [root]
    for _ in range(MAX_DEPTH):
        deeper: list[object] = []
        for value in level:
            if isinstance(value, dict):
                deeper.extend(child for child in value.values() if isinstance(child, (dict, list)))
                left -= len(value)
                keys += len(value)
            elif isinstance(value, list):
                deeper.extend(child for child in value if isinstance(child, (dict, list)))
                left -= len(value)
            if left < 0:
                raise _too_much(root, "too_many_nodes", f"more than {MAX_NODES} values")
        if not deeper:
            return keys
        level = deeper
    raise _too_much(root, "too_deep", f"values nest deeper than {MAX_DEPTH}")


def _too_much(root: object, reason: str, message: str) -> ParseError:
    return ParseError("cyclic", "holds itself") if has_cycle(root) else ParseError(reason, message)
