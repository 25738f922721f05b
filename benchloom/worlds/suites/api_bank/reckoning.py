"""Evaluate formulas of numbers, `+ - * /` and brackets, in linear time."""

import math
import re

_TOKEN = re.compile(r"\s*(?:(\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})|([-+*/()]))")
_LONGEST = 2000
_DEEPEST = 50


class FormulaError(Exception):
    """A text that is no formula, or that has no value."""


def value_of(formula: str) -> float:
    """Evaluate a formula.

    Raises:
        FormulaError: the text is no formula, divides by zero, or is too long, deep or large.
    """
    if len(formula) > _LONGEST:
        raise FormulaError(f"longer than {_LONGEST} characters")
    tokens: list[str] = []
    text, at = formula.rstrip(), 0
    while at < len(text):
        token_match = _TOKEN.match(text, at)
        if token_match is None:
            raise FormulaError(f"expected a number or an operator at {at}")
        tokens.append(token_match[1] or token_match[2])
        at = token_match.end()
    reader = _Reader(tokens)
    value = reader.total(0)
    if reader.tokens or not math.isfinite(value):
        raise FormulaError("expected exactly one formula")
    return value


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]

    def total(self, depth: int) -> float:
        """Terms that are added or taken away."""
        value = self._product(depth)
        while self._next() in {"+", "-"}:
            sign = self.tokens.pop()
            term = self._product(depth)
            value = value + term if sign == "+" else value - term
        return value

    def _product(self, depth: int) -> float:
        value = self._factor(depth)
        while self._next() in {"*", "/"}:
            sign = self.tokens.pop()
            factor = self._factor(depth)
            if sign == "/" and not factor:
                raise FormulaError("division by zero")
            value = value * factor if sign == "*" else value / factor
        return value

    def _factor(self, depth: int) -> float:
        if depth > _DEEPEST:
            raise FormulaError("too many brackets")
        token = self.tokens.pop() if self.tokens else ""
        if token in {"-", "+"}:
            value = self._factor(depth + 1)
            return -value if token == "-" else value
        if token == "(":
            value = self.total(depth + 1)
            if self._next() != ")":
                raise FormulaError("a bracket is not closed")
            self.tokens.pop()
            return value
        if not token or token in "*/)":
            raise FormulaError("a number is missing")
        return float(token)

    def _next(self) -> str:
        return self.tokens[-1] if self.tokens else ""
