"""Compare argument values that may be in different notations.

- A list or object equals a text that contains it in Python or JSON syntax.
- A number equals a text that contains it in JSON syntax: `5`, `5.0` and `"5"` are equal. Two texts
  are compared as numbers only if the parameter is a number; otherwise `"05"` and `"5"` differ.
- True and false equal texts that spell them in any letter case; they do not equal 1 and 0.
- All other texts are compared character by character.
"""

import re
from collections.abc import Callable

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.exchange.foreign.literals import literal_of

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][-+]?\d{1,3})?", re.ASCII)
_TRUTHS = {"true": True, "false": False}
_NESTING = ("[", "{")
_PYTHON = frozenset({"json_word", "tuple"})  # deviations from Python's syntax that are accepted


def equal(first_value: Plain, other: Plain, *, is_number: bool = False) -> bool:
    """Whether two values are equal in any notation; two texts are numbers only if `is_number`."""
    return _equal(_read_literal(first_value), _read_literal(other), is_number=is_number)


def equal_but_for_case(first_value: Plain, other: Plain) -> bool:
    """Whether two texts are equal, ignoring letter case."""
    return (
        isinstance(first_value, str)
        and isinstance(other, str)
        and first_value.casefold() == other.casefold()
    )


def _equal(first_value: Plain, other: Plain, *, is_number: bool) -> bool:
    if isinstance(first_value, list) and isinstance(other, list):
        return len(first_value) == len(other) and all(
            _equal(left, right, is_number=is_number)
            for left, right in zip(first_value, other, strict=True)
        )
    if isinstance(first_value, dict) and isinstance(other, dict):
        return first_value.keys() == other.keys() and all(
            _equal(value, other[name], is_number=False) for name, value in first_value.items()
        )
    if isinstance(first_value, str) and isinstance(other, str):
        if first_value == other:
            return True
        return is_number and _both(first_value, other, number_of)
    if isinstance(first_value, bool) or isinstance(other, bool):
        return _both(first_value, other, _truth_of)
    if isinstance(first_value, int | float) or isinstance(other, int | float):
        return _both(first_value, other, number_of)
    return first_value is None and other is None


def _both(first_value: Plain, other: Plain, read: Callable[[Plain], int | float | None]) -> bool:
    left, right = read(first_value), read(other)
    return left is not None and left == right


def number_of(value: Plain) -> int | float | None:
    """Return a value if it is a number, the number that a text spells, or None otherwise."""
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text) is None:
            return None
        number = int(text) if text.lstrip("-").isdecimal() else float(text)
        return None if abs(number) == float("inf") else number
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _truth_of(value: Plain) -> bool | None:
    if isinstance(value, str):
        return _TRUTHS.get(value.casefold())
    return value if isinstance(value, bool) else None


def _read_literal(value: Plain) -> Plain:
    if not isinstance(value, str) or not value.lstrip().startswith(_NESTING):
        return value
    try:
        return literal_of(value, _PYTHON)
    except RejectedInputError:
        return value
