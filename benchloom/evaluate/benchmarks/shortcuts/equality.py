"""Compare two parameter values under each rule set.

Under the rule set `right`, numbers are equal in any spelling, and equal to texts that spell them. A
boolean also equals a text that spells it, and 1 or 0, because some files contain these numbers. All
other values must be equal letter by letter. A list with one value equals that value, because files
contain both for parameters with several values. Under `published`, the published comparison
applies: booleans are 0 and 1; if either value is a number, both are compared as numbers of its
type; all other values must be equal. The order of an object's members never matters.
"""

import re
from decimal import Decimal
from typing import TypeAlias

from benchloom.core.records.values import Composed, Plain, Ref, RuntimeValue, Value

Key: TypeAlias = "tuple[str, object]"  # the kind of a value, and its normal form
EXAMPLE_VALUE = "${Value1}"  # stands for a result inside a text in the published comparison
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,39})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,4})?")
_SWITCHES = {"true": True, "false": False}
_LONGEST_SWITCH = 5
_LONGEST_NUMBER = 90


def key_of(value: Value) -> Key:
    """Return a key that is the same for equal values; results inside a value are ignored."""
    if isinstance(value, int):  # a boolean is an integer too
        return ("number", Decimal(value))
    if isinstance(value, float):
        return ("number", Decimal(repr(value)))
    if isinstance(value, str):
        return _text_key(value)
    if isinstance(value, Composed) and not _is_token(value):
        return ("text", literal_text(value))
    if isinstance(value, list):
        if len(value) == 1:
            return key_of(value[0])
        return ("list", tuple(key_of(element) for element in value if not _is_token(element)))
    if isinstance(value, dict):
        members = sorted(
            (name, key_of(member)) for name, member in value.items() if not _is_token(member)
        )
        return ("object", tuple(members))
    return ("none", None)


def same(gold: Value, predicted: Value) -> bool:
    """Whether two values are equal under the rule set `right`; results inside them are ignored."""
    return key_of(gold) == key_of(predicted)


def _is_token(value: Value) -> bool:
    # A text that consists of one token counts as this token.
    if isinstance(value, Composed):
        return len(value.parts) == 1
    return isinstance(value, Ref | RuntimeValue)


def literal_text(text: Composed) -> str:
    """Return a text without the results of actions that are inserted in it."""
    return "".join(part for part in text.parts if isinstance(part, str))


def _text_key(text: str) -> Key:
    if len(text) <= _LONGEST_SWITCH and (switch := _SWITCHES.get(text.casefold())) is not None:
        return ("number", Decimal(switch))
    if len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text):
        return ("number", Decimal(text))
    return ("text", text)


def published_same(gold: Value, predicted: Value) -> bool:
    """Whether two values are equal in the published comparison."""
    left, right = _plain_value(gold), _plain_value(predicted)
    try:
        if isinstance(left, float) or isinstance(right, float):
            return float(_number(left)) == float(_number(right))
        if isinstance(left, int) or isinstance(right, int):
            return int(_number(left)) == int(_number(right))
    except (ValueError, OverflowError):
        return False
    return left == right


def _plain_value(value: Value) -> Plain:
    if isinstance(value, Ref | RuntimeValue):
        return EXAMPLE_VALUE
    if isinstance(value, Composed):
        return "".join(part if isinstance(part, str) else EXAMPLE_VALUE for part in value.parts)
    if isinstance(value, list):
        return [_plain_value(element) for element in value]
    if isinstance(value, dict):
        return {name: _plain_value(member) for name, member in value.items()}
    return value


def _number(value: Plain) -> int | float | str:
    if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= _LONGEST_NUMBER):
        return value
    raise ValueError("the value is not a number")
