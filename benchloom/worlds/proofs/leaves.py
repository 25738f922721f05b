"""Iterate over the leaves of JSON values (texts, numbers, booleans), and compare them."""

import unicodedata
from collections.abc import Iterator
from typing import TypeAlias

from benchloom.core.records.values import Plain

Path: TypeAlias = tuple[str | int, ...]
Scalar: TypeAlias = "bool | int | float | str"
Key: TypeAlias = tuple[str, str]
"""A leaf in a form for comparison, in which 25 and 25.0 are equal and texts are in Unicode NFC."""


def leaves(value: Plain, path: Path = ()) -> Iterator[tuple[Path, Scalar]]:
    """Yield every text, number and boolean inside a value with its path, in order."""
    pending: list[tuple[Path, Plain]] = [(path, value)]
    while pending:
        leaf_path, element = pending.pop()
        if isinstance(element, dict):
            pending += reversed([((*leaf_path, name), member) for name, member in element.items()])
        elif isinstance(element, list):
            pending += reversed(
                [((*leaf_path, number), member) for number, member in enumerate(element)]
            )
        elif element is not None:
            yield leaf_path, element


def key_of(value: Scalar) -> Key:
    """Return a key that is the same for equal values, such as 25 and 25.0."""
    if isinstance(value, bool):
        return "truth", str(value)
    if isinstance(value, str):
        return "text", unicodedata.normalize("NFC", value)
    return "number", str(int(value)) if value == value // 1 else repr(float(value))


def at(value: Plain, path: Path) -> tuple[bool, Plain]:
    """Return whether a path exists in a value, and the value at that path."""
    for part in path:
        if isinstance(value, list):
            if not isinstance(part, int) or not 0 <= part < len(value):
                return False, None
            value = value[part]
        elif not isinstance(value, dict) or not isinstance(part, str) or part not in value:
            return False, None
        else:
            value = value[part]
    return True, value


def put(value: Plain, path: Path, leaf: Plain) -> Plain:
    """Return a copy of a JSON value in which the leaf at an existing path is replaced."""
    if not path:
        return leaf
    if isinstance(value, dict):
        return {
            name: put(member, path[1:], leaf) if name == path[0] else member
            for name, member in value.items()
        }
    assert isinstance(value, list)  # noqa: S101  the path leads to a list, else it would not exist
    return [
        put(member, path[1:], leaf) if n == path[0] else member for n, member in enumerate(value)
    ]


def dotted(path: Path) -> str:
    """Return a path as a text with dots, such as `guests.0.name`."""
    return ".".join(map(str, path))
