"""Limits on the depth and size of a decoded tree, for all kinds of files."""

from typing import TYPE_CHECKING

from parsers.errors import ParseError
from parsers.walk import has_cycle

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NODES = 2_000_000
MAX_DEPTH = 200
_CONTAINERS = frozenset({dict, list})


def check_bounds(root: object, most: int = MAX_NODES) -> int:
    """Return the number of keys in a tree; raise if it is cyclic, too deep or too large."""
    left = most
    keys = 0
    level: list[dict[str, object] | list[object]] = []
    if isinstance(root, (dict, list)):
        level.append(root)
    for _ in range(MAX_DEPTH):
        deeper: list[dict[str, object] | list[object]] = []
        for value in level:
            left -= len(value)
            if left < 0:
                raise _too_much(root, "too_many_nodes", f"more than {most} values")
            children: Iterable[object] = value
            if type(value) is dict:
                keys += len(value)
                children = value.values()
            deeper += [child for child in children if type(child) in _CONTAINERS]  # type: ignore[misc]
        if not deeper:
            return keys
        level = deeper
    raise _too_much(root, "too_deep", f"values nest deeper than {MAX_DEPTH}")


def _too_much(root: object, reason: str, message: str) -> ParseError:
    return ParseError("cyclic", "holds itself") if has_cycle(root) else ParseError(reason, message)
