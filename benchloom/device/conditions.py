"""Evaluate the conditions of the actions If and Find."""

from collections.abc import Callable
from datetime import datetime
from operator import contains

from benchloom.core.records.conditions import (
    CONDITION,
    OPERANDS,
    condition_code,
    operands_in_force,
)
from benchloom.device.call import Call
from benchloom.device.errors import UnsupportedError
from benchloom.device.items import Content, Item
from benchloom.device.items.coercion import content_text, number_of, text_of
from benchloom.device.items.item_types import dates_of
from benchloom.device.items.moments import moved

ANY_VALUE = 100
IN_NEXT = 1000
_OPPOSITES = {ANY_VALUE + 1: ANY_VALUE, 5: 4, 999: 99}
"""A mapping from the code of a negated condition to the code of the condition without negation."""
_TEXT_TESTS: dict[int | None, Callable[[str, str], bool]] = {
    8: str.startswith,
    9: str.endswith,
    99: contains,
}


def is_true(call: Call) -> bool:
    """Return whether the condition of a step of the action If is true.

    Apple documents that "equals" is an exact match and that "contains" searches every item of a
    list. It is a guess that an empty text has no value, and that "contains" distinguishes upper and
    lower case.

    Raises:
        UnsupportedError: the condition is unknown.
    """
    content = call.input()
    codes: dict[str, object] = {
        name: "" if call.content(name) in ((), ("",)) else 1 for name in OPERANDS if call.has(name)
    }
    condition = call.content(CONDITION)
    if condition:
        codes[CONDITION] = condition[0]
    first = content[0] if content else None
    kind = "number" if isinstance(first, int | float) else None
    code = condition_code(codes)
    if code is None and not condition:
        code = ANY_VALUE
    operands = operands_in_force(code, codes, kind)
    return holds(call, code, content, [call.content(name) for name in operands])


def holds(call: Call, code: int | None, content: Content, operands: list[Content]) -> bool:
    """Return whether content meets the condition with a code.

    The operand of a condition on a span of time has two items, a number and a unit. It is a guess
    that a number without a unit is in days, and that the span includes both ends.

    Raises:
        UnsupportedError: the condition is unknown.
    """
    if code in _OPPOSITES:
        return not holds(call, _OPPOSITES[code], content, operands)
    first = content[0] if content else None
    operand = operands[0] if operands else ()
    if code in _TEXT_TESTS:
        return _TEXT_TESTS[code](content_text(content), content_text(operand))
    match code:
        case 100:
            return _has_value(content)
        case 4:
            return _equal(first, operand)
        case 0 | 1 | 2 | 3:
            size, bound = _ordered(first, operand, call.now)
            if size is None or bound is None:
                return False
            return (size < bound, size <= bound, size > bound, size >= bound)[code]
        case 1003:
            low, high = (_ordered(first, bound, call.now) for bound in (operand, operands[-1]))
            if low[0] is None or low[1] is None or high[1] is None:
                return False
            return min(low[1], high[1]) <= low[0] <= max(low[1], high[1])
        case 1000 | 1001:
            amount, unit = (
                number_of(operand[0] if operand else None) or 0,
                content_text(operand[1:]),
            )
            end = moved(call.now, amount if code == IN_NEXT else -amount, unit or "days")
            dates = dates_of(first, call.now)
            return bool(dates) and min(call.now, end) <= dates[0] <= max(call.now, end)
        case 1002:
            return any(date.date() == call.now.date() for date in dates_of(first, call.now))
    raise UnsupportedError(f"unsupported condition {code}")


def _has_value(content: Content) -> bool:
    return any(item is not None and item != "" for item in content)


def _equal(item: Item, operand: Content) -> bool:
    if isinstance(item, int | float) and not isinstance(item, bool):
        return number_of(operand[0] if operand else None) == item
    if isinstance(item, bool) and operand and isinstance(operand[0], bool | int | float):
        return item == bool(operand[0])
    return text_of(item) == content_text(operand)


def _ordered(item: Item, operand: Content, now: datetime) -> tuple[float | None, float | None]:
    if isinstance(item, datetime):
        dates = [date for part in operand for date in dates_of(part, now)]
        return item.timestamp(), dates[0].timestamp() if dates else None
    return number_of(item), number_of(operand[0] if operand else None)
