"""Read the values in a text, which are JSON or Python literals."""

import re
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain, refuse_deep
from benchloom.exchange.foreign.literals import LiteralReader

_HARMLESS = frozenset({"json_word", "key_of_no_text", "line_break", "tuple", "unescaped_quote"})
"""The kinds of deviations from Python's syntax that cannot change the value."""
_ENCODER = msgspec.json.Encoder()
_FENCE = re.compile(r"```(?:\w+\n)?|\n?```")


def as_text(value: Any) -> str:
    """Return a text unchanged, and any other JSON value as JSON."""
    return value if isinstance(value, str) else _ENCODER.encode(value).decode()


def _values_in(text: str) -> list[Plain]:
    content = _FENCE.sub("", text).strip()
    for pieces in ([content], content.splitlines()):
        json_values = _of_json(pieces)
        if json_values is not None:
            return json_values
    reader = LiteralReader(content)
    values: list[Plain] = []
    at = 0
    while at < len(content):
        value, at = reader.value(at)
        values.append(value)
        at = reader.skip(at)
        if content[at : at + 1] == ",":
            at = reader.skip(at + 1)
    odd = reader.tolerated.keys() - _HARMLESS
    if odd or not values:
        raise RejectedInputError(
            "bad_literal", f"the text is neither JSON nor a Python value: {text[:80]!r}"
        )
    return values


def value_in(text: str) -> Plain:
    """Return the value of a text that contains exactly one JSON or Python value.

    Raises RejectedInputError if the text contains another number of values, or the value is
    unreadable.
    """
    values = _values_in(text)
    if len(values) != 1:
        raise RejectedInputError(
            "bad_literal", f"expected one value in the text, found {len(values)}"
        )
    return values[0]


def items_in(text: str) -> list[Plain]:
    """Return the values in a text, or the elements of the value if it is a single list.

    Raises RejectedInputError if the text contains something else, or a value nested too deep.
    """
    values = _values_in(text)
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _of_json(pieces: list[str]) -> list[Plain] | None:
    try:
        values = [msgspec.json.decode(piece) for piece in pieces if piece.strip()]
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    for value in values:
        refuse_deep(value)
    return values or None
