"""Records with one part replaced by what nobody expects there."""

import json
from collections.abc import Iterator
from typing import Any

Place = tuple[str | int, ...]
NO_JSON = (
    b"{", b"\xff", b"[" * 5000, b'"\\ud800"', b"NaN", b"null", b"1e999", b'{"a": NaN}', b"3",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, 3, True, 10**400, 1.5, "", "[", "{'a': 1}", "[f(a=", "[f(a=1)]", "\ud800", [], [[]], {},
    [3], {"a": {"b": []}}, "[" * 600 + "]" * 600, json.loads("[" * 300 + "]" * 300),
)  # fmt: skip


def damages(record: Any, most: int = 30) -> Iterator[bytes]:
    """Texts that are no record, and the record with odd values in its place or its parts."""
    yield from NO_JSON
    places = list(parts(record))
    for position in places[:: 1 + len(places) // most]:
        for value in ODD:
            yield json.dumps(replaced(record, position, value)).encode()


def parts(value: Any, place: Place = ()) -> Iterator[Place]:
    """The place of a value and those of all inside it."""
    yield place
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(inner, (*place, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from parts(inner, (*place, number))


def replaced(record: Any, place: Place, value: Any) -> Any:
    """The record with another value at a place."""
    if not place:
        return value
    copy = record.copy()
    copy[place[0]] = replaced(record[place[0]], place[1:], value)
    return copy
