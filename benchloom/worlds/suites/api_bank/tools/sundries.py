"""Tools without a database (calculator, date, mail, music), and tools that need a network."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, need, refused
from benchloom.worlds.tool import read_tool, tool

_NUMBER = re.compile(r"\d{1,300}(?:\.\d{0,300})?|\.\d{1,300}")
_FORMULA = re.compile(r"[-+*/()\d.\s]*")
_OPERATIONS: Mapping[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_LONGEST = 2000


class FormulaError(Exception):
    """The text is not a formula, or the formula has no value (division by zero, too large)."""


_SCHEMA = """
CREATE TABLE mails (
    mail_id TEXT PRIMARY KEY, receiver TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL
) STRICT;
CREATE TABLE played (played_id TEXT PRIMARY KEY, music_name TEXT NOT NULL) STRICT;
"""


@read_tool(formula="numbers, + - * / and brackets.")
def Calculator(state: State, *, formula: str) -> float:
    """Calculate the value of a formula."""
    try:
        return value_of(formula)
    except FormulaError as error:
        ours = f"not a formula: {error}"
        raise refused(state, "invalid_argument", ("Calculator", 0), ours) from error


@read_tool()
def GetToday(state: State) -> str:
    """Return today's date."""
    return state.now[: len("2023-01-31")]


@tool(receiver="the recipient's address.", subject="the subject.", content="the text.")
def SendEmail(state: State, *, receiver: str, subject: str, content: str) -> str:
    """Send an email."""
    need(state, receiver, ("SendEmail", 0), "receiver is empty")
    key = state.new_id("mails", receiver, subject, content)
    state.add("mails", mail_id=key, receiver=receiver, subject=subject, content=content)
    return SUCCESS


@tool(music_name="the name of the music.")
def PlayMusic(state: State, *, music_name: str) -> str:
    """Play music; return the address that opens the player."""
    need(state, music_name, ("PlayMusic", 0), "music_name is empty")
    state.add("played", played_id=state.new_id("played", music_name), music_name=music_name)
    return f"music://{music_name.strip().lower()}"


@read_tool(keyword="the word.")
def Dictionary(_state: State, *, keyword: str) -> list[str]:
    """Look up a word in a dictionary; unavailable here, because it needs the network."""
    raise RefusedError("unavailable", f"a dictionary needs the network: {keyword[:100]!r}")


@read_tool(src="the text.", src_lang="its language.", tgt_lang="the target language.")
def Translate(_state: State, *, src: str, src_lang: str, tgt_lang: str) -> str:
    """Translate a text; unavailable here, because it needs the network."""
    del src
    message = f"translation needs the network: {src_lang[:40]!r} to {tgt_lang[:40]!r}"
    raise RefusedError("unavailable", message)


PART = Part(schema=_SCHEMA, tools=globals(), goals={"Calculator": "work out a formula"})


def value_of(formula: str) -> float:
    """Return the value of an arithmetic formula.

    Raises:
        FormulaError: the text is not a formula, divides by zero, or is too long, deep or large.
    """
    if len(formula) > _LONGEST:
        raise FormulaError(f"the formula has more than {_LONGEST} characters")
    if not _FORMULA.fullmatch(formula):
        raise FormulaError("expected numbers, + - * / and brackets")
    text = _NUMBER.sub(lambda match: repr(float(match[0])), " ".join(formula.split()))
    try:
        value = _value(ast.parse(text, mode="eval").body)
    except ZeroDivisionError as error:
        raise FormulaError("division by zero") from error
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise FormulaError("expected exactly one formula, not nested too deeply") from error
    if not math.isfinite(value):
        raise FormulaError("the value is too large")
    return value


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.operand))
    raise ValueError(type(node).__name__)
