"""Tools without a database: reckoning, the day, mail, music; and what no world can answer."""

import math
import re

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, need, refused
from benchloom.worlds.tool import read_tool, tool

_TOKEN = re.compile(r"\s*(?:(\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})|([-+*/()]))")

_LONGEST = 2000

_DEEPEST = 50


class FormulaError(Exception):
    """A text that is no formula, or that has no value."""


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


_SCHEMA = """
CREATE TABLE mails (
    mail_id TEXT PRIMARY KEY, receiver TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL
) STRICT;
CREATE TABLE played (played_id TEXT PRIMARY KEY, music_name TEXT NOT NULL) STRICT;
"""


@read_tool(formula="numbers, + - * / and brackets.")
def Calculator(state: State, *, formula: str) -> float:
    """Reckon."""
    try:
        return value_of(formula)
    except FormulaError as error:
        ours = f"no formula: {error}"
        raise refused(state, "invalid_argument", ("Calculator", 0), ours) from error


@read_tool()
def GetToday(state: State) -> str:
    """Tell what day it is."""
    return state.now[: len("2023-01-31")]


@tool(receiver="to which address.", subject="what it is about.", content="what it says.")
def SendEmail(state: State, *, receiver: str, subject: str, content: str) -> str:
    """Send a mail."""
    need(state, receiver, ("SendEmail", 0), "nobody is written to")
    key = state.new_id("mails", receiver, subject, content)
    state.add("mails", mail_id=key, receiver=receiver, subject=subject, content=content)
    return SUCCESS


@tool(music_name="what to play.")
def PlayMusic(state: State, *, music_name: str) -> str:
    """Play music; gives back the address that the player is called with."""
    need(state, music_name, ("PlayMusic", 0), "no music is named")
    state.add("played", played_id=state.new_id("played", music_name), music_name=music_name)
    return f"music://{music_name.strip().lower()}"


@read_tool(keyword="the word.")
def Dictionary(_state: State, *, keyword: str) -> list[str]:
    """Tell what a word means; API-Bank asks a service of the network, and a world has none."""
    raise RefusedError("unavailable", f"no dictionary is here to look up {keyword[:100]!r}")


@read_tool(src="the text.", src_lang="its language.", tgt_lang="the language that is wanted.")
def Translate(_state: State, *, src: str, src_lang: str, tgt_lang: str) -> str:
    """Translate a text; API-Bank asks a service of the network, and a world has none."""
    del src
    message = f"nobody here translates from {src_lang[:40]!r} into {tgt_lang[:40]!r}"
    raise RefusedError("unavailable", message)


PART = Part(schema=_SCHEMA, tools=globals(), goals={"Calculator": "work out a formula"})


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
