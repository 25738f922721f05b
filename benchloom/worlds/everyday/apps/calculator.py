"""The app for calculations, which are exact; the app limits the size of expressions and numbers."""

import ast
import re
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import Cents
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Expression: TypeAlias = Annotated[
    str, msgspec.Meta(max_length=200, pattern=r"^[-+*/%^().,0-9a-z ]+$(?!\n)")
]
People: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100)]
Number: TypeAlias = Annotated[float, msgspec.Meta(ge=-1e11, le=1e11)]
Percent: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1_000)]
Numbers: TypeAlias = Annotated[list[Number], msgspec.Meta(min_length=1, max_length=100)]
DEEPEST = 30
LARGEST = 10**40
"""The maximum of the numerators and denominators of intermediate results."""
LARGEST_RESULT = 10**15
"""The maximum of a result; a float represents all integers up to this size exactly."""
_DIGITS = 10
_NUMBER = re.compile(r"[0-9]{1,16}(?:\.[0-9]{1,12})?")
_GLUED = re.compile(r"[0-9][a-z]")
"""A digit before a letter, as in 0x1f and 1e5, which Python would accept as numbers."""
_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")


class Calculation(msgspec.Struct, frozen=True):
    """The result, rounded to ten decimal places."""

    value: float


class Shares(msgspec.Struct, frozen=True):
    """The share of each person, in cents."""

    shares_cents: list[int]


class Summary(msgspec.Struct, frozen=True):
    """Count, sum, mean, minimum and maximum of numbers."""

    count: int
    total: float
    mean: float
    smallest: float
    largest: float


@read_tool(expression="numbers, + - * / % ** and brackets, and sqrt, abs, min and max of numbers.")
def calculate(_state: State, *, expression: Expression) -> Calculation:
    """Calculate the value of an expression."""
    return Calculation(rounded_result(_evaluated(expression)))


@read_tool(numbers="up to 100 numbers.")
def summarise_numbers(_state: State, *, numbers: Numbers) -> Summary:
    """Calculate the sum, the mean, the minimum and the maximum of numbers."""
    exact = [exactly(number) for number in numbers]
    total = sum(exact, Fraction(0))
    mean = total / len(exact)
    return Summary(
        len(exact),
        *(rounded_result(statistic) for statistic in (total, mean, min(exact), max(exact))),
    )


@read_tool(percent="the percentage.", of="the number.")
def percentage(_state: State, *, percent: Percent, of: Number) -> Calculation:
    """Calculate a percentage of a number."""
    return Calculation(rounded_result(bounded(exactly(percent) * exactly(of) / 100)))


@read_tool(amount_cents="the amount in cents.", people="the number of people.")
def split_cents(_state: State, *, amount_cents: Cents, people: People) -> Shares:
    """Split an amount in cents among people; the first people pay the remaining cents."""
    share, odd = divmod(amount_cents, people)
    return Shares([share + (position < odd) for position in range(people)])


def exactly(value: float) -> Fraction:
    """Convert a float to the fraction of its decimal digits; refuse infinity and NaN.

    Raises:
        RefusedError: the number is not finite.
    """
    try:
        return Fraction(repr(value))
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{value} is not a finite number") from error


def rounded_result(value: Fraction) -> float:
    """Round a number for a result; raise `RefusedError` if it is too large."""
    if abs(value) > LARGEST_RESULT:
        raise RefusedError("invalid_argument", "the result is larger than 10 ** 15")
    return float(round(value, _DIGITS))


def bounded(value: Fraction) -> Fraction:
    """Return a fraction; raise `RefusedError` if its numerator or its denominator is too large."""
    if max(abs(value.numerator), value.denominator) > LARGEST:
        raise RefusedError("invalid_argument", "an intermediate result has too many digits")
    return value


def _evaluated(expression: str) -> Fraction:
    text = expression.strip().replace("^", "**")
    depth = max(accumulate((sign == "(") - (sign == ")") for sign in text), default=0)
    if depth >= DEEPEST:
        raise RefusedError("invalid_argument", f"brackets are nested over {DEEPEST} deep")
    if glued := _GLUED.search(text):
        raise RefusedError("invalid_argument", f"unexpected {glued[0]!r} in the expression")
    text = _ZEROS.sub("", text)
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise RefusedError("invalid_argument", f"{expression!r} is not an expression") from error
    return _value(node, text)


def _value(node: ast.expr, text: str) -> Fraction:
    part = text[node.col_offset : node.end_col_offset]
    match node:
        case ast.Constant() if _NUMBER.fullmatch(part):
            return Fraction(part)
        case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
            value = _value(operand, text)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left, operator, right):
            return _combined(_value(left, text), operator, _value(right, text))
        case ast.Call(ast.Name(name), [_, *_] as arguments, []):
            return _applied(name, [_value(argument, text) for argument in arguments])
    raise RefusedError("invalid_argument", f"unexpected {part!r} in the expression")


def _combined(left: Fraction, operator: ast.operator, right: Fraction) -> Fraction:
    match operator:
        case ast.Add():
            return bounded(left + right)
        case ast.Sub():
            return bounded(left - right)
        case ast.Mult():
            return bounded(left * right)
        case ast.Div() | ast.Mod() if not right:
            raise RefusedError("invalid_argument", "division by zero")
        case ast.Div():
            return bounded(left / right)
        case ast.Mod():
            return bounded(left % right)
        case ast.Pow():
            return _raised(left, right)
    raise RefusedError("invalid_argument", "unknown operator; use + - * / % or **")


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise RefusedError("invalid_argument", "exponents must be whole numbers")
    if not base and exponent < 0:
        raise RefusedError("invalid_argument", "division by zero")
    wide = max(abs(base.numerator), base.denominator)
    # The size is estimated first, because a power such as 9**9**9 would fill the memory.
    if wide > 1 and abs(exponent) * (wide.bit_length() - 1) > LARGEST.bit_length():
        raise RefusedError("invalid_argument", "a power has too many digits")
    if wide <= 1:  # 0, 1 and -1 stay small, whatever the exponent
        return base ** (exponent.numerator % 2 or (2 if exponent else 0))
    return bounded(base**exponent.numerator)


def _applied(name: str, values: list[Fraction]) -> Fraction:
    if name in {"min", "max"}:
        return min(values) if name == "min" else max(values)
    if name not in {"sqrt", "abs"} or len(values) != 1:
        raise RefusedError("invalid_argument", f"{name} does not take {len(values)} numbers")
    if name == "abs":
        return abs(values[0])
    if values[0] < 0:
        raise RefusedError("invalid_argument", "a negative number has no square root")
    scale = 10**15
    return bounded(Fraction(isqrt(int(values[0] * scale * scale)), scale))


APP = App(
    tools=tools_of("calculator", globals()),
    goals={
        "calculate": "work out a formula",
        "percentage": "work out a percentage of a number",
        "split_cents": "split an amount of money",
        "summarise_numbers": "work out {} of some numbers",
    },
)
