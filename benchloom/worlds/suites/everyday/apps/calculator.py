"""Calculator: sums of exact numbers, bounded in length, depth and size; it keeps nothing."""

import re
from fractions import Fraction
from math import isqrt
from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.everyday.arguments import Cents
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
"""Neither part of a fraction gets larger on the way."""
LARGEST_RESULT = 10**15
"""The maximum of a result, so that every whole number is exact."""
_DIGITS = 10
_PART = re.compile(r"\s*(?:([0-9]{1,16}(?:\.[0-9]{1,12})?)|([a-z]+)|(\*\*|[-+*/^(),%]))")


class Calculation(msgspec.Struct, frozen=True):
    """What comes out, rounded to ten places behind the point."""

    value: float


class Shares(msgspec.Struct, frozen=True):
    """What each has to pay, in cents."""

    shares_cents: list[int]


class Summary(msgspec.Struct, frozen=True):
    """What numbers have in common."""

    count: int
    total: float
    mean: float
    smallest: float
    largest: float


@read_tool(expression="numbers, + - * / % ** and brackets, and sqrt, abs, min and max of numbers.")
def calculate(_state: State, *, expression: Expression) -> Calculation:
    """Work out an expression."""
    return Calculation(rounded_result(_Reader(expression).whole()))


@read_tool(numbers="up to a hundred of them.")
def summarise_numbers(_state: State, *, numbers: Numbers) -> Summary:
    """Add up numbers, and tell their mean, the smallest and the largest."""
    exact = [exactly(number) for number in numbers]
    total = sum(exact, Fraction(0))
    mean = total / len(exact)
    return Summary(
        len(exact),
        *(rounded_result(statistic) for statistic in (total, mean, min(exact), max(exact))),
    )


@read_tool(percent="how many percent.", of="the number.")
def percentage(_state: State, *, percent: Percent, of: Number) -> Calculation:
    """Work out so many percent of a number."""
    return Calculation(rounded_result(bounded(exactly(percent) * exactly(of) / 100)))


@read_tool(amount_cents="how much, in cents.", people="how many people.")
def split_cents(_state: State, *, amount_cents: Cents, people: People) -> Shares:
    """Split cents among people so that no cent is left; who comes first pays the odd ones."""
    each, odd = divmod(amount_cents, people)
    return Shares([each + (position < odd) for position in range(people)])


def exactly(value: float) -> Fraction:
    """Return the exact number of a decimal; raise `RefusedError` if it is not finite."""
    try:
        return Fraction(repr(value))
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{value} is no number") from error


def rounded_result(value: Fraction) -> float:
    """Round a number for a result; raise `RefusedError` if it is too large."""
    if abs(value) > LARGEST_RESULT:
        raise RefusedError("invalid_argument", "the result is over 10 ** 15")
    return float(round(value, _DIGITS))


def bounded(value: Fraction) -> Fraction:
    """Return a fraction; raise `RefusedError` if its numerator or denominator is too large."""
    if max(abs(value.numerator), value.denominator) > LARGEST:
        raise RefusedError("invalid_argument", "a number on the way is too large or too fine")
    return value


class _Reader:
    """A recursive-descent parser that evaluates an expression while reading it."""

    def __init__(self, text: str) -> None:
        self._parts: list[str] = []
        self._deep = 0
        position = 0
        text = text.rstrip()
        while position < len(text):
            part_match = _PART.match(text, position)
            if part_match is None:
                raise RefusedError("invalid_argument", f"{text[position]!r} is out of place")
            self._parts.append(part_match[part_match.lastindex or 0])
            position = part_match.end()
        self._parts.reverse()

    def whole(self) -> Fraction:
        value = self._sum()
        if self._parts:
            raise RefusedError("invalid_argument", f"{self._parts[-1]!r} is out of place")
        return value

    def _next(self, *candidates: str) -> str:
        """Take the next part if it is a candidate; return an empty text otherwise."""
        return self._parts.pop() if self._parts and self._parts[-1] in candidates else ""

    def _sum(self) -> Fraction:
        self._deep += 1
        if self._deep > DEEPEST:
            raise RefusedError("invalid_argument", f"over {DEEPEST} brackets inside each other")
        total = self._product()
        while sign := self._next("+", "-"):
            other = self._product()
            total = bounded(total + other if sign == "+" else total - other)
        self._deep -= 1
        return total

    def _product(self) -> Fraction:
        product = self._signed()
        while sign := self._next("*", "/", "%"):
            other = self._signed()
            if sign != "*" and not other:
                raise RefusedError("invalid_argument", "nothing is divided by 0")
            product = bounded(
                product * other
                if sign == "*"
                else product / other
                if sign == "/"
                else product % other
            )
        return product

    def _signed(self) -> Fraction:
        signs = 0
        while sign := self._next("-", "+"):
            signs += sign == "-"
        power = self._power()
        return -power if signs % 2 else power

    def _power(self) -> Fraction:
        bases = [self._single()]
        while self._next("**", "^"):
            minus = bool(self._next("-"))
            exponent = self._single()
            bases.append(-exponent if minus else exponent)
        result = bases.pop()
        while bases:
            result = _raised(bases.pop(), result)
        return result

    def _single(self) -> Fraction:
        if not self._parts:
            raise RefusedError("invalid_argument", "the expression ends too early")
        part = self._parts.pop()
        if part == "(":
            value = self._sum()
            self._close()
            return value
        if part[0].isdigit():
            return Fraction(part)
        if part.isalpha() and self._next("("):
            values = [self._sum()]
            while self._next(","):
                values.append(self._sum())
            self._close()
            return _applied(part, values)
        raise RefusedError("invalid_argument", f"{part!r} is out of place")

    def _close(self) -> None:
        if not self._next(")"):
            raise RefusedError("invalid_argument", "a bracket is not closed")


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise RefusedError("invalid_argument", "exponents are whole numbers")
    if not base and exponent < 0:
        raise RefusedError("invalid_argument", "nothing is divided by 0")
    wide = max(abs(base.numerator), base.denominator)
    if wide > 1 and abs(exponent) * (wide.bit_length() - 1) > LARGEST.bit_length():
        raise RefusedError("invalid_argument", "a power is too large or too fine")
    if wide <= 1:  # 0, 1 and -1 stay small, whatever the exponent
        return base ** (exponent.numerator % 2 or (2 if exponent else 0))
    return bounded(base**exponent.numerator)


def _applied(name: str, values: list[Fraction]) -> Fraction:
    if name in {"min", "max"}:
        return min(values) if name == "min" else max(values)
    if name not in {"sqrt", "abs"} or len(values) != 1:
        raise RefusedError("invalid_argument", f"{name} of {len(values)} numbers is not known")
    if name == "abs":
        return abs(values[0])
    if values[0] < 0:
        raise RefusedError("invalid_argument", "no root of a number below 0")
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
