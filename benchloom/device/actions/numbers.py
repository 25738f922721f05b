"""Actions that calculate, round, count and format numbers."""

import math
import re
from collections.abc import Callable, Mapping
from operator import add, mul, sub, truediv

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import MADE_NUMBER, Content, Dictionary, MadeAnswer
from benchloom.device.items.coercion import (
    content_text,
    number_of,
    number_text,
    numbers_in,
    small,
    text_of,
)


@action("number")
def number(call: Call) -> Content:
    """Return a number, by default 0 (not checked on a device)."""
    return (call.number("WFNumberActionNumber"),)


_MADE = re.compile(r"\banswer [0-9]+\b")
_SIGNS = str.maketrans({"\u00d7": "*", "÷": "/", "\u2212": "-", "\u00a0": " "})


@action("calculateexpression")
def calculate_expression(call: Call) -> Content:
    """Calculate an expression with the calculator of the everyday world."""
    text = content_text(call.input("Input")).strip().lower()
    # A simulated answer counts as a number.
    expression = _MADE.sub(str(MADE_NUMBER), text)
    if not expression:
        return ()
    arguments = {"expression": expression.translate(_SIGNS).replace("^", "**")}
    outcome = call.device.everyday.call("calculator.calculate", arguments)
    if not isinstance(outcome.result, dict):
        raise ActionError(f"{expression[:60]!r} cannot be calculated: {outcome.message}")
    return (small(float(str(outcome.result["value"]))),)


@action("detect.number")
def detect_numbers(call: Call) -> Content:
    """Return every number in the input."""
    numbers: list[int | float] = []
    for item in call.input():
        if isinstance(item, bool | int | float | MadeAnswer):
            numbers.append(number_of(item) or 0)
        else:
            numbers += numbers_in(text_of(item))
    return tuple(numbers)


_OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
}
_WITH_OPERAND: Mapping[str, Callable[[float, float], float]] = {
    "Modulus": math.fmod,
    "x^y": math.pow,
}
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "x^2": lambda number: math.pow(number, 2),
    "x^3": lambda number: math.pow(number, 3),
    "√x": math.sqrt,
    "∛x": math.cbrt,
    "e^x": math.exp,
    "10^x": lambda number: math.pow(10, number),
    "ln(x)": math.log,
    "log(x)": math.log10,
    "abs(x)": abs,
    "sin(x)": math.sin,
    "cos(x)": math.cos,
    "tan(x)": math.tan,
}


@action("math")
def calculate(call: Call) -> Content:
    """Calculate with the input and an operand, by default 0 (not checked on a device).

    The remainder has the sign of the dividend, as in C (not checked on a device).
    """
    content = call.input()
    left = number_of(content[0]) if content else 0
    if left is None:
        raise ActionError(f"the input is not a number: {text_of(content[0])[:60]!r}")
    operation = call.text("WFMathOperation", "+")
    if operation == "…":
        return (_scientific(call, left),)
    right = call.number("WFMathOperand")
    calculation = _OPERATIONS.get(operation.translate(_SIGNS))
    if calculation is None:
        raise ActionError(f"unknown operation '{operation}'")
    if calculation is truediv and right == 0:
        raise ActionError("cannot divide by zero")
    return (small(calculation(left, right)),)


def _scientific(call: Call, left: float) -> int | float:
    name = call.text("WFScientificMathOperation", "Modulus")
    try:
        if name in _WITH_OPERAND:
            return small(_WITH_OPERAND[name](left, call.number("WFScientificMathOperand")))
        if name in _FUNCTIONS:
            return small(_FUNCTIONS[name](left))
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ActionError(f"{name} of {number_text(left)} is not defined") from error
    raise ActionError(f"unknown operation '{name}'")


@action("round")
def round_number(call: Call) -> Content:
    """Round each number; halves are rounded away from zero (not checked on a device).

    Files of early versions store the position to round to in WFRoundType, and the number of decimal
    places in WFRoundDecimalPlaces.
    """
    unit = call.text("WFRoundTo", call.text("WFRoundType", "Ones Place"))
    digits = {"Tenths": 1, "Hundredths": 2, "Thousandths": 3, "Tens Place": -1}.get(unit, 0)
    digits = {"Hundreds Place": -2, "Thousands": -3, "Ten Thousandths": 4}.get(unit, digits)
    if unit == "Right of Decimal":
        places = call.number("TenToThePowerOf", call.number("WFRoundDecimalPlaces"))
        digits = min(max(int(places), 0), 15)
    mode = call.text("WFRoundMode", "Normal")
    results: list[int | float] = []
    for item in call.input():
        value = number_of(item)
        if value is None or not math.isfinite(value):
            raise ActionError(f"the input is not a number: {text_of(item)[:60]!r}")
        scaled = float(f"{value * 10.0**digits:.12g}")
        if "Up" in mode:
            whole = math.ceil(scaled)
        elif "Down" in mode:
            whole = math.floor(scaled)
        else:
            whole = int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))
        results.append(small(float(f"{whole / 10.0**digits:.12g}")))
    return tuple(results)


@action("count")
def count(call: Call) -> Content:
    """Count the items of the input, or the characters, words or lines of its text."""
    content = call.input("Input")
    if content and isinstance(content[0], MadeAnswer) and not call.has("WFCountType"):
        return (2,)
    text = "\n".join(map(text_of, content))
    match call.text("WFCountType", "Items"):
        case "Characters":
            return (len(text),)
        case "Words":
            return (len(text.split()),)
        case "Sentences":
            return (sum(text.count(sign) for sign in ".!?") or int(bool(text)),)
        case "Lines":
            return (len(text.splitlines()),)
    if len(content) == 1 and isinstance(content[0], list):
        return (len(content[0]),)
    return (len(content),)


@action("format.number")
def format_number(call: Call) -> Content:
    """Write a number with grouped thousands and a number of decimal places, by default 2."""
    places = min(max(int(call.number("WFNumberFormatDecimalPlaces", 2)), 0), 20)
    return (f"{call.number('WFNumber'):,.{places}f}",)


@action("statistics")
def statistics(call: Call) -> Content:
    """Calculate a statistic of the numbers in the input, by default the average."""
    numbers_or_none = (number_of(item) for item in call.input("Input"))
    values = sorted(value for value in numbers_or_none if value is not None)
    if not values:
        return ()
    total, half = math.fsum(values), len(values) // 2
    figures: Dictionary = {
        "Average": small(total / len(values)),
        "Sum": small(total),
        "Minimum": values[0],
        "Maximum": values[-1],
        "Range": small(values[-1] - values[0]),
        "Median": values[half] if len(values) % 2 else small((values[half - 1] + values[half]) / 2),
    }
    name = call.text("WFStatisticsOperation", "Average")
    if name not in figures:
        raise ActionError(f"unknown statistic '{name}'")
    return (figures[name],)
