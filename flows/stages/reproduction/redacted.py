"""Compare derived values with released values, in which placeholders may replace texts."""

import re

import msgspec

from benchloom.normalise.redaction import PLACEHOLDER
from benchloom.normalise.redaction.json_cells import REDACTED_NUMBER

_MAX_REDACTED = 4096
"""Maximum number of characters that one placeholder replaces."""
_REPLACED = re.compile(f"{PLACEHOLDER.pattern}|{REDACTED_NUMBER.pattern}")


def is_redacted(*rows: object) -> bool:
    """Whether any of the records contains a placeholder for a text or for a number."""
    texts = (msgspec.json.encode(row).decode() for row in rows)
    return any(map(_REPLACED.search, texts))


def is_redacted_copy(released: object, expected: object) -> bool:
    """Whether the released value equals the derived one, except for placeholders in its texts.

    Released texts have such placeholders because a build first derives tables and documents, and
    then redacts them.
    """
    return _is_copy(msgspec.to_builtins(released), msgspec.to_builtins(expected))


def _is_copy(released: object, expected: object) -> bool:
    if isinstance(released, dict) and isinstance(expected, dict):
        return released.keys() == expected.keys() and all(
            _is_copy(value, expected[name]) for name, value in released.items()
        )
    if isinstance(released, list | tuple) and isinstance(expected, list | tuple):
        return len(released) == len(expected) and all(map(_is_copy, released, expected))
    if isinstance(released, str) and isinstance(expected, str) and released != expected:
        return _is_redacted_text(released, expected)
    return released == expected


def _is_redacted_text(released: str, expected: str) -> bool:
    first, *literals = _REPLACED.split(released)
    if not literals or not expected.startswith(first):
        return False
    at = len(first)
    for part in literals[:-1]:
        position = expected.find(part, at, at + _MAX_REDACTED + len(part))
        if position < 0:
            return False
        at = position + len(part)
    tail_length = len(expected) - at - len(literals[-1])
    return expected.endswith(literals[-1]) and 0 <= tail_length <= _MAX_REDACTED
