"""How deep JSON nests, told from its bytes: the same answer on every interpreter.

A decoder's own bound is the recursion limit of the interpreter that runs it, and what it skips
counts as much as what it builds.
"""

import re
from typing import NamedTuple

MAX_DEPTH = 200
"""Deepest lists and objects in a document; real dialogues and schemas nest eight deep."""
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))
STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|[{}\[\]]', re.DOTALL)
"""A string, also one that never ends, or a bracket: every byte is looked at once."""
_CLOSED_BY = {0x7B: 0x7D, 0x5B: 0x5D}
_QUOTE = 0x22


class Extent(NamedTuple):
    """Where a value ends, just after its last bracket, and how deep it nests."""

    end: int
    depth: int


def is_shallow(data: bytes) -> bool:
    """Whether a document certainly nests at most 200 deep, told fast.

    False says nothing yet: brackets inside texts may not pair up. Ask `extent_of` then.
    """
    left = data.translate(None, _OTHERS)
    for _ in range(MAX_DEPTH):
        if not left:
            return True
        fewer = left.replace(b"[]", b"").replace(b"{}", b"")
        if len(fewer) == len(left):
            return False
        left = fewer
    return not left


def extent_of(data: bytes, start: int, stop: int) -> Extent | None:
    """The list or object that begins at `start`; None when it does not end before `stop`."""
    open_brackets = bytearray()
    depth = 0
    for token in STRUCTURE.finditer(data, start, stop):
        byte = data[token.start()]
        if byte == _QUOTE:
            continue
        if byte in _CLOSED_BY:
            open_brackets.append(_CLOSED_BY[byte])
            depth = max(depth, len(open_brackets))
        elif not open_brackets or open_brackets.pop() != byte:
            return None
        elif not open_brackets:
            return Extent(token.end(), depth)
    return None


def nests_too_deep(data: bytes) -> bool:
    """Whether any value of a document nests deeper than 200, damaged ones included."""
    if is_shallow(data):
        return False
    depth = 0
    for token in STRUCTURE.finditer(data):
        byte = data[token.start()]
        if byte in _CLOSED_BY:
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif byte != _QUOTE:
            depth = max(0, depth - 1)
    return False
