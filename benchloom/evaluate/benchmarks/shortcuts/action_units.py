"""Judge a predicted action against gold by its units, each of which is right or wrong.

A unit is a value that the request states (`static`), a result of an earlier action or a variable
(`previous`), or a need for input (`input`), which only the user or the device can provide. Results,
variables and needs for input are called tokens. Under the rule set `right`, every token in a text
or a structure is a unit, and so is the text around tokens. Under `published`, a unit is a whole
parameter, and a text that consists of one token is not counted.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from benchloom.core.records.values import Ref, RuntimeValue, Value
from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE, Judged, Rules
from benchloom.evaluate.benchmarks.shortcuts.equality import published_same, same
from benchloom.evaluate.benchmarks.shortcuts.predictions import FINISH, Predicted
from benchloom.evaluate.benchmarks.shortcuts.tokens import (
    LocatedToken,
    is_literal,
    match_tokens,
    same_token,
    tokens_in,
)
from benchloom.exchange.examples import Call, Finding
from benchloom.exchange.examples.shortcuts.values import Token

UnitKind: TypeAlias = Literal["static", "previous", "input"]
UNITS: tuple[UnitKind, ...] = ("static", "previous", "input")
OUTCOMES: Mapping[str, str] = {
    RIGHT: "The action is right and has all required values",
    UNPARSEABLE: "No action can be read from the output",
    "finished": "The output ends the shortcut, but an action is missing",
    "wrong_api": "The output contains another action",
    "invented": "The output invents a value that only a person, the device or the caller can know",
    "wrong_input": "Another need for input or a result is in place of a need for input",
    "literal_reference": "A literal value is in place of a result or variable",
    "wrong_part": "The result is right, but not the part of it that is used",
    "wrong_reference": "Another result, variable or need for input is in place of a result",
    "wrong_value": "A value differs from the request",
    "missing_parameter": "A required parameter is missing",
    "extra_value": "A parameter has words or another value, but the parameter of gold has none",
    "extra_reference": "A parameter has more results, variables or needs for input than gold",
    "extra_parameter": "The action has a parameter that the action of gold does not have",
}
"""The meanings of the outcomes; if several apply to a sample, its outcome is the first one."""
_ORDER = {kind: rank for rank, kind in enumerate(OUTCOMES)}


class _Unit(msgspec.Struct, frozen=True, gc=False):
    """A part of a parameter that is judged; `fault` is empty if the prediction is right."""

    kind: UnitKind
    parameter: str
    fault: str = ""


def judge(
    gold: Call, predicted: Predicted | None, essential: frozenset[str] | None, rules: Rules
) -> Judged:
    """Judge a predicted action, which is None if the output cannot be read.

    `essential` are the names of the parameters whose values the request must state, or None if they
    are unknown.
    """
    of = _right_units if rules == "right" else _published_units
    values = {} if predicted is None else predicted.values
    units = [
        unit
        for argument in gold.arguments
        for unit in of(
            argument.name, argument.value, values, essential is None or argument.name in essential
        )
    ]
    if predicted is None:
        return Judged(UNPARSEABLE, _counts(units, api=False))
    if predicted.identifier != gold.api:
        kind = "finished" if predicted.identifier == FINISH else "wrong_api"
        finding = Finding(kind, f"{predicted.identifier[:80]}, not {gold.api}")
        return Judged(kind, _counts(units, api=False), (finding,))
    findings = [Finding(unit.fault, unit.parameter) for unit in units if unit.fault]
    findings += _extras(gold, values)
    outcome = min(
        (argument_finding.kind for argument_finding in findings),
        key=_ORDER.__getitem__,
        default=RIGHT,
    )
    counts = _counts(units, api=True) | {"exact": float(outcome == RIGHT)}
    return Judged(outcome, counts, tuple(findings))


def _extras(gold: Call, values: Mapping[str, Value]) -> Iterator[Finding]:
    gold_names = {argument.name for argument in gold.arguments}
    extra = sorted(values.keys() - gold_names)
    if extra:
        yield Finding("extra_parameter", ", ".join(extra)[:200])
    for argument in gold.arguments:
        token_count = sum(1 for _ in tokens_in(values.get(argument.name)))
        if token_count > sum(1 for _ in tokens_in(argument.value)):
            yield Finding("extra_reference", argument.name)
        if is_literal(values.get(argument.name)) and not is_literal(argument.value):
            yield Finding("extra_value", argument.name)


def _counts(units: list[_Unit], *, api: bool) -> dict[str, float]:
    counts = {"api": float(api), "exact": 0.0}
    for kind in UNITS:
        own = [unit for unit in units if unit.kind == kind]
        counts[f"{kind}_gold"] = len(own)
        counts[f"{kind}_seen"] = len(own) if api else 0
        counts[f"{kind}_right"] = sum(not unit.fault for unit in own) if api else 0
    return counts


def _right_units(
    name: str, gold: Value, values: Mapping[str, Value], is_essential: bool
) -> Iterator[_Unit]:
    missing = name not in values
    predicted = values.get(name)
    every = list(tokens_in(gold))
    others = list(tokens_in(predicted))
    if is_essential and is_literal(gold):
        hit = same(gold, predicted) and bool(every or not others)
        yield _Unit("static", name, _value_fault(missing=missing, hit=hit))
    tokens = [located for located in every if not _is_lost(located[1])]
    if not tokens:
        return
    hits = match_tokens(tokens, others)
    unused = _unused_tokens(others, tokens, hits)
    for (location, token), hit in zip(tokens, hits, strict=True):
        fault = (
            "" if hit else "missing_parameter" if missing else _fault(token, unused.get(location))
        )
        yield _Unit(_kind(token), name, fault)


def _published_units(
    name: str, gold: Value, values: Mapping[str, Value], is_essential: bool
) -> Iterator[_Unit]:
    missing = name not in values
    predicted = values.get(name)
    if isinstance(gold, Ref | RuntimeValue):
        if isinstance(gold, RuntimeValue) and gold.kind == "variable":
            return
        predicted_token = predicted if isinstance(predicted, Ref | RuntimeValue) else None
        hit = predicted_token is not None and _published_token(gold, predicted_token)
        fault = "" if hit else "missing_parameter" if missing else _fault(gold, predicted_token)
        yield _Unit(_kind(gold), name, fault)
    elif is_essential and is_literal(gold):
        hit = not missing and published_same(gold, predicted)
        yield _Unit("static", name, _value_fault(missing=missing, hit=hit))


def _value_fault(*, missing: bool, hit: bool) -> str:
    return "missing_parameter" if missing else "" if hit else "wrong_value"


def _published_token(gold: Token, predicted: Token) -> bool:
    # Compares results by id or name, and needs for input by kind, without the used part.
    if _kind(gold) == "input" or _kind(predicted) == "input":
        return _name_of(gold) == _name_of(predicted) and _kind(gold) == _kind(predicted)
    if isinstance(predicted, RuntimeValue) and predicted.kind == "variable":
        return False
    if isinstance(gold, Ref) and isinstance(predicted, Ref) and gold.step == predicted.step:
        return True
    return _name_of(gold) == _name_of(predicted) and bool(_name_of(gold) or gold == predicted)


def _name_of(token: Token) -> str:
    return (token.output or "") if isinstance(token, Ref) else token.name


def _is_lost(token: Token) -> bool:
    """Whether a gold value refers to an action that does not exist, so no model can predict it."""
    return isinstance(token, RuntimeValue) and token.kind == "missing"


def _kind(token: Token) -> UnitKind:
    return "input" if isinstance(token, RuntimeValue) and token.kind == "input" else "previous"


def _unused_tokens(
    others: list[LocatedToken], gold: list[LocatedToken], hits: list[bool]
) -> dict[str, Token]:
    unused_tokens: dict[str, Token] = {}
    right = [token for (_, token), hit in zip(gold, hits, strict=True) if hit]
    for location, token in others:
        if not any(same_token(right_token, token) for right_token in right):
            unused_tokens.setdefault(location, token)
    return unused_tokens


def _fault(gold: Token, predicted: Token | None) -> str:
    """Return the kind of fault of a value that differs from `gold`.

    `gold` is a result, a variable or a need for input. `predicted` is the one that the model wrote
    instead, or None if the model wrote a literal value.
    """
    if _kind(gold) == "input":
        return "invented" if predicted is None else "wrong_input"
    if predicted is None:
        return "literal_reference"
    same_result = isinstance(gold, Ref) and isinstance(predicted, Ref)
    if same_result and replace(predicted, path=gold.path, output=None) == (
        replace(gold, output=None)
    ):
        return "wrong_part"
    return "wrong_reference"
