"""Split a damaged file of dialogues into byte ranges with dialogues and ranges with other bytes.

A dialogue starts with its id in every published file, and quotes inside a text are escaped, so a
damaged dialogue ends at the latest where the next dialogue starts. Objects that begin with another
key are recognised if they are whole. Every byte belongs to exactly one range; the time is linear in
the size of the file.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

MAX_DEPTH = 200
"""Maximum nesting of lists and objects. Real dialogues and schemas nest eight deep."""
_START = re.compile(rb'\{\s*+"dialogue_id"\s*+:')
_BOUNDARY = re.compile(rb"\{\s*+\"")
_BETWEEN = re.compile(rb"[\s,]*+")
_MARK = b"\xef\xbb\xbf"
_STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|[{}\[\]]', re.DOTALL)
"""A string, even an unterminated one, or a bracket. Each byte is matched only once."""
_CLOSED_BY = {0x7B: 0x7D, 0x5B: 0x5D}
_QUOTE = 0x22
_EFFORT = 4
"""Average number of times that each byte of a range without the start of a dialogue may be read."""


class _Extent(NamedTuple):
    end: int
    depth: int


class Stretch(NamedTuple):
    """The bytes from `start` to `end`.

    `depth` is the nesting depth of a whole object, and 0 for other bytes.
    """

    start: int
    end: int
    depth: int


def stretches(data: bytes) -> Iterator[Stretch]:
    """Yield the byte ranges of a file in order, without separating commas and outer brackets."""
    position, stop = _list_of(data)
    starts = [match.start() for match in _START.finditer(data, position, stop)]
    yield from _stretches_between(data, position, starts[0] if starts else stop)
    for start, end in pairwise([*starts, stop]):
        whole = extent_of(data, start, end)
        if whole is None:
            yield from _rest(data, start, end)
        else:
            yield Stretch(start, whole.end, whole.depth)
            yield from _stretches_between(data, whole.end, end)


def _list_of(data: bytes) -> tuple[int, int]:
    # Either bracket of the list may be missing.
    start = len(_MARK) if data.startswith(_MARK) else 0
    separator_match = _BETWEEN.match(data, start)
    start = separator_match.end() if separator_match else start
    stop = len(data.rstrip())
    if data[start : start + 1] == b"[":
        start += 1
    if stop > start and data[stop - 1 : stop] == b"]":
        stop -= 1
    return start, stop


def _stretches_between(data: bytes, start: int, stop: int) -> Iterator[Stretch]:
    left = _EFFORT * (stop - start)
    unread = position = start
    while left > 0:
        boundary = _BOUNDARY.search(data, position, stop)
        if boundary is None:
            break
        whole = extent_of(data, boundary.start(), stop)
        left -= (stop if whole is None else whole.end) - boundary.start()
        position = boundary.end() if whole is None else whole.end
        if whole is not None and data.find(b'"dialogue_id"', boundary.start(), whole.end) >= 0:
            yield from _rest(data, unread, boundary.start())
            yield Stretch(boundary.start(), whole.end, whole.depth)
            unread = position
    yield from _rest(data, unread, stop)


def _rest(data: bytes, start: int, stop: int) -> Iterator[Stretch]:
    separator_match = _BETWEEN.match(data, start, stop)
    start = separator_match.end() if separator_match else start
    stop = start + len(data[start:stop].rstrip(b" \t\r\n,"))
    if stop > start:
        yield Stretch(start, stop, 0)


def extent_of(data: bytes, start: int, stop: int) -> _Extent | None:
    """Return the extent of the list or object at `start`.

    Returns None if the value does not end before `stop`.
    """
    open_brackets = bytearray()
    depth = 0
    for token in _STRUCTURE.finditer(data, start, stop):
        byte = data[token.start()]
        if byte == _QUOTE:
            continue
        if byte in _CLOSED_BY:
            open_brackets.append(_CLOSED_BY[byte])
            depth = max(depth, len(open_brackets))
        elif not open_brackets or open_brackets.pop() != byte:
            return None
        elif not open_brackets:
            return _Extent(token.end(), depth)
    return None
