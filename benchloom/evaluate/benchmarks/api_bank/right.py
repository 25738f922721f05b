"""Judge a call under the rule set `right`, which accepts the recorded call in any notation.

A call is right if its arguments equal those of the recorded call. These values count as equal:

- the recorded value, and the value as the tool understood it (`"2"` and `2`), which the recorded
  result contains;
- texts that spell the same number, if the parameter is declared as a number or the tool understood
  it as a number;
- texts that differ only in letter case, if the parameter's description says that case is
  ignored;
- `keywords` of a tool search: the same words in any letter case and order, joined or not, or the
  name of the tool that the recorded search returned (the last tool, if several).

The renamed parameter of the timed switches has two names, `device_id` and `name`. If a simulated
world is available, a call with other arguments is right if it has the same effect there as the
recorded call. An additional argument with the value `None` is ignored.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.plain_words import NAME_WORD, shortened
from benchloom.core.records.values import Plain, rendered
from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE
from benchloom.evaluate.benchmarks.api_bank.effects import Effects
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample
from benchloom.evaluate.benchmarks.api_bank.outcomes import (
    MISSING_ARGUMENT,
    NO_CALL,
    UNKNOWN_PARAMETER,
    WRONG_NAME,
    WRONG_VALUE,
)
from benchloom.evaluate.benchmarks.api_bank.outputs import OutputCall
from benchloom.evaluate.benchmarks.api_bank.values import equal, equal_but_for_case, number_of
from benchloom.exchange.examples import Finding
from benchloom.exchange.foreign.specifications import definition_name
from benchloom.exchange.formats.api_bank.call_text import TextCall
from benchloom.exchange.formats.api_bank.declared import tools_in
from benchloom.exchange.formats.api_bank.tools import SEARCH
from benchloom.worlds.suites.api_bank.tools import renamed_parameters

_IGNORES_CASE = re.compile(r"\bcases?\s+(?:is|are)\s+ignored|\bcase[- ]insensitive", re.IGNORECASE)
_NUMBERS = frozenset({"integer", "number", "int", "float"})
_MAX_SHOWN = 60
Verdict = tuple[str, tuple[Finding, ...]]  # an outcome and its faults


def judge_call(sample: GoldSample, written: OutputCall, effects: Effects) -> Verdict:
    """Judge a predicted call; return its outcome and its faults.

    `effects` decides whether a call with other arguments has the same effect as the recorded call.
    """
    call = written.call
    if call is None:
        outcome = UNPARSEABLE if written.begins else NO_CALL
        return outcome, (Finding(outcome, written.problem),)
    further = [Finding("further_calls", f"{written.further} more")] if written.further else []
    outcome, findings = _judge(sample, call, effects)
    return outcome, (*findings, *further)


def names_of(sample: GoldSample) -> frozenset[str]:
    """Return the names of all tools of a sample, including the tool of the recorded call."""
    return frozenset({sample.name, *map(definition_name, sample.example.definitions)})


def _judge(sample: GoldSample, call: TextCall, effects: Effects) -> Verdict:
    if call.api != sample.name:
        return WRONG_NAME, (Finding(WRONG_NAME, f"{_shorten(call.api)} for {sample.name}"),)
    renamed = renamed_parameters().get(sample.name, {})
    back = {ours: recorded for recorded, ours in renamed.items() if ours not in sample.arguments}
    predicted_arguments = {back.get(name, name): value for name, value in call.arguments}
    outcome, findings = _compare(sample, predicted_arguments)
    if outcome == RIGHT:
        return RIGHT, findings
    done = effects.of(sample, predicted_arguments)
    if done == RIGHT:
        return RIGHT, (
            Finding("same_effect", "both calls have the same effect in the world"),
            *findings,
        )
    return done if done and outcome == WRONG_VALUE else outcome, findings


def _compare(sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> Verdict:
    parameter_names = {
        *sample.arguments,
        *(sample.recorded or {}),
        *(parameter.name for parameter in sample.parameters),
    }
    unknown = [name for name in predicted_arguments if name not in parameter_names]
    if unknown:
        return UNKNOWN_PARAMETER, tuple(
            Finding(UNKNOWN_PARAMETER, _shorten(unknown_name)) for unknown_name in unknown
        )
    missing = [name for name in sample.arguments if name not in predicted_arguments]
    if missing:
        return MISSING_ARGUMENT, tuple(Finding(MISSING_ARGUMENT, name) for name in missing)
    differing = tuple(_differing(sample, predicted_arguments))
    return (WRONG_VALUE if differing else RIGHT), differing


def _differing(sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> Iterator[Finding]:
    for name, value in predicted_arguments.items():
        if name not in sample.arguments:
            if value is not None:
                yield Finding("extra_argument", f"{name}={_shorten(value)}")
        elif not _is_equal(sample, name, value):
            gold_value = sample.arguments[name]
            yield Finding(WRONG_VALUE, f"{name}={_shorten(value)} for {_shorten(gold_value)}")


def _is_equal(sample: GoldSample, name: str, value: Plain) -> bool:
    gold_values: list[Plain] = [sample.arguments[name]]
    if sample.recorded is not None and name in sample.recorded:
        gold_values.append(sample.recorded[name])
    parameter = next((candidate for candidate in sample.parameters if candidate.name == name), None)
    is_number = (parameter is not None and parameter.type in _NUMBERS) or any(
        not isinstance(gold_value, str) and number_of(gold_value) is not None
        for gold_value in gold_values
    )
    if any(equal(value, gold_value, is_number=is_number) for gold_value in gold_values):
        return True
    if parameter is not None and _IGNORES_CASE.search(parameter.description or ""):
        return any(equal_but_for_case(value, gold_value) for gold_value in gold_values)
    return sample.name == SEARCH and _finds_the_same(sample, value, gold_values)


def _finds_the_same(sample: GoldSample, value: Plain, gold_values: Sequence[Plain]) -> bool:
    words = _words(value)
    if not words:
        return False
    return any(
        words == _words(keywords) for keywords in (*gold_values, *_listed_tool_names(sample))
    )


def _listed_tool_names(sample: GoldSample) -> Iterator[str]:
    if sample.position is None:
        return
    result = sample.example.calls[sample.position].result
    if result is None:
        return
    tools = list(tools_in(rendered(result.output, str)))
    if tools and isinstance(name := tools[-1].get("name"), str):
        yield name


def _words(value: Plain) -> list[str]:
    if not isinstance(value, str):
        return []
    return sorted(word.lower() for word in NAME_WORD.findall(value))


def _shorten(value: Plain) -> str:
    text = value if isinstance(value, str) else repr(value)
    return shortened(text, _MAX_SHOWN)
