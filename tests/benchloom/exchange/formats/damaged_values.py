"""Records with one part replaced by a value of an unexpected type or shape."""

import json
from collections.abc import Iterator
from typing import Any

ValuePath = tuple[str | int, ...]
NO_JSON = (
    b"{", b"\xff", b"[" * 5000, b'"\\ud800"', b"NaN", b"null", b"1e999", b'{"a": NaN}', b"3",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, 3, True, 10**400, 1.5, "", "[", "{'a': 1}", "[f(a=", "[f(a=1)]", "\ud800", [], [[]], {},
    [3], {"a": {"b": []}}, "[" * 600 + "]" * 600, json.loads("[" * 300 + "]" * 300),
)  # fmt: skip


def damaged_records(record: Any, most: int = 30) -> Iterator[bytes]:
    """Iterate over texts that are no record, then the record with one part replaced."""
    yield from NO_JSON
    paths = list(value_paths(record))
    for path in paths[:: 1 + len(paths) // most]:
        for value in ODD:
            yield json.dumps(replace_value(record, path, value)).encode()


def value_paths(value: Any, path: ValuePath = ()) -> Iterator[ValuePath]:
    """Iterate over the paths of a value and of all values inside it."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from value_paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from value_paths(inner, (*path, number))


def replace_value(record: Any, path: ValuePath, value: Any) -> Any:
    """Return the record with another value at a path."""
    if not path:
        return value
    copy = record.copy()
    copy[path[0]] = replace_value(record[path[0]], path[1:], value)
    return copy
