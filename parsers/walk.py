"""Convert a decoded value to canonical form in place, with a walk of limited size and depth.

In canonical form bytes become {sha256, length}, dates become ISO 8601 texts, integral floats become
integers, and other values that JSON cannot hold become a tagged mapping. Cycles, exponential
sharing and deep nesting raise one typed error. Leaves are converted inside the loop over their
container, because a function call per leaf would cost more than reading the property list did. The
limits on a JSON text are checked before the text is decoded, by counting its brackets and commas.
"""

import hashlib
import math
import plistlib
from datetime import UTC, datetime
from typing import Any

from benchloom.storage.inputs.json_nesting import (
    MAX_DEPTH,
    may_nest_deeper,
    outside,
    without_escapes,
)
from parsers.errors import ParseError

MAX_VALUES = 500_000
"""Maximum number of values in a JSON text."""
MAX_NODES = 2_000_000
MAX_CANONICAL_DEPTH = 256
MAX_TREE_DEPTH = 200
"""Maximum depth that `check_bounds` accepts, for all kinds of files."""


def check_json(text: bytes, max_depth: int = MAX_DEPTH, max_values: int = MAX_VALUES) -> None:
    """Raise ParseError if a JSON text has more levels or values than the limits allow."""
    opened = text.count(b"[") + text.count(b"{")  # with those that a text quotes
    if opened + text.count(b",") > max_values:
        bare = outside(without_escapes(text))
        if bare.count(b"[") + bare.count(b"{") + bare.count(b",") > max_values:
            raise ParseError("too_many_nodes", f"JSON: more than {max_values} values")
    if opened > max_depth and may_nest_deeper(text, max_depth):
        raise ParseError("too_deep", f"JSON nests deeper than {max_depth}")


_CONTAINERS = frozenset({dict, list})
_INT64 = 1 << 63
_UINT64 = 1 << 64
"""Integers in property lists have 64 bits, and may be signed or unsigned."""


class Walk:
    """One walk over one decoded object. All its calls share one limit on the number of values."""

    def __init__(self) -> None:
        self._left = MAX_NODES
        self.mappings: list[tuple[dict[str, object], str]] = []
        """Mappings with a `Type` or an `OutputUUID`, and their locations, in the order visited."""
        self.texts: list[dict[str, object]] = []
        """Mappings with `attachmentsByRange`."""

    def canonicalise(
        self, value: dict[str, object] | list[object], location: str = "", depth: int = 0
    ) -> None:
        """Convert everything inside `value`, which is at level `depth`, to canonical form in place.

        Raises:
            ParseError: it is cyclic, too deep or too large, or contains an unknown type.
        """
        self._left = left = self._left - len(value) - 1
        if left < 0:
            raise ParseError("too_many_nodes", "more values than a shortcut can contain")
        if depth > MAX_CANONICAL_DEPTH:
            if has_cycle(value):
                raise ParseError("cyclic", "a value contains itself")
            raise ParseError("too_deep", f"values nest deeper than {MAX_CANONICAL_DEPTH}")
        container: Any = value  # the loop checks the types of the children
        is_mapping = type(value) is dict
        for key, child in container.items() if is_mapping else enumerate(container):
            kind = type(child)
            if kind is str or kind is bool:
                continue
            if kind is dict or kind is list:
                if child:
                    self.canonicalise(child, f"{location}/{key}", depth + 1)
            elif kind is not int or not -_INT64 <= child < _UINT64:
                container[key] = canonical_scalar(child)
        if is_mapping:
            if "Type" in container or "OutputUUID" in container:
                self.mappings.append((container, location))
            elif "attachmentsByRange" in container:
                self.texts.append(container)


def canonical_scalar(value: object) -> object:
    """Return the canonical form of a scalar that is neither a text nor a boolean.

    Raises:
        ParseError: the type is unknown.
    """
    if isinstance(value, float):
        if math.isfinite(value):
            return canonical_scalar(int(value)) if value.is_integer() else value
        return {"float": str(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"sha256": hashlib.sha256(value).hexdigest(), "length": len(value)}
    if isinstance(value, datetime):
        stamp = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return stamp.isoformat().replace("+00:00", "Z")
    if isinstance(value, int):
        return value if -_INT64 <= value < _UINT64 else {"int": str(value)}
    if isinstance(value, plistlib.UID):
        return {"CF$UID": value.data}
    if value is None:
        return None
    raise ParseError("unknown_value", f"values of type {type(value).__name__} are not supported")


def has_cycle(value: object) -> bool:
    """Whether a container contains itself. The search does not recurse."""
    on_path: set[int] = set()
    seen: set[int] = set()
    stack: list[tuple[object, bool]] = [(value, False)]
    while stack:
        current, leaving = stack.pop()
        if not isinstance(current, (dict, list)):
            continue
        if leaving:
            on_path.discard(id(current))
            continue
        if id(current) in on_path:
            return True
        if id(current) in seen:
            continue
        seen.add(id(current))
        on_path.add(id(current))
        stack.append((current, True))
        children = current.values() if isinstance(current, dict) else current
        stack.extend((child, False) for child in children)
    return False


def check_bounds(root: object, most: int = MAX_NODES) -> int:
    """Return the number of keys in a tree; raise ParseError if it has too many values or levels."""
    left = most
    keys = 0
    level: list[dict[str, object] | list[object]] = []
    if isinstance(root, (dict, list)):
        level.append(root)
    for _ in range(MAX_TREE_DEPTH):
        deeper: list[dict[str, object] | list[object]] = []
        for value in level:
            left -= len(value)
            if left < 0:
                raise _too_much(root, "too_many_nodes", f"the file has more than {most} values")
            if type(value) is dict:
                keys += len(value)
            children = value.values() if isinstance(value, dict) else value
            deeper += [child for child in children if type(child) in _CONTAINERS]  # type: ignore[misc]  # the condition selects containers
        if not deeper:
            return keys
        level = deeper
    raise _too_much(root, "too_deep", f"values nest deeper than {MAX_TREE_DEPTH}")


def _too_much(root: object, reason: str, message: str) -> ParseError:
    return ParseError("cyclic", "holds itself") if has_cycle(root) else ParseError(reason, message)
