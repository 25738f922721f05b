"""A call judged right: by what it says, in whatever writing, and by what was recorded.

A call is right when its arguments are those of the recorded call. These writings are equal, by
parameter:

- the value of the call, and the value as the tool understood it: the recorded result holds both
  (`"2"` and `2`);
- of a parameter that is declared a number, or that the tool understood as one, texts of one number;
- of a parameter whose description says that case is ignored, texts that differ in letter case;
- `keywords` of a search for tools: the same words in any letter case and order, joined or not; and
  the name of the tool that the recorded search found, alone or last of its list;
- a parameter that has been renamed: `device_id` and `name` of the timed switches.

Where a world runs, a call with other arguments is right if it does what the recorded one does.

An argument that is nothing (`None`) and that the recorded call has not is as good as none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE
from benchloom.evaluate.benchmarks.api_bank.effects import Effects
from benchloom.evaluate.benchmarks.api_bank.gold import Asked
from benchloom.evaluate.benchmarks.api_bank.outcomes import (
    MISSING_ARGUMENT,
    NO_CALL,
    UNKNOWN_PARAMETER,
    WRONG_NAME,
    WRONG_VALUE,
)
from benchloom.evaluate.benchmarks.api_bank.outputs import Written
from benchloom.evaluate.benchmarks.api_bank.values import equal, folded, number_of
from benchloom.examples import Finding
from benchloom.foreign.specifications import definition_name
from benchloom.formats.api_bank.call_text import TextCall
from benchloom.formats.api_bank.declared import tools_in
from benchloom.formats.api_bank.known import SEARCH
from benchloom.records.values import Plain, rendered
from benchloom.words import NAME_WORD

RENAMED = {"TimedSwitch": {"device_id": "name"}, "CancelTimedSwitch": {"device_id": "name"}}
"""Parameters by what recorded calls name them, and what the tools name them since."""
_IGNORES_CASE = re.compile(r"\bcases?\s+(?:is|are)\s+ignored|\bcase[- ]insensitive", re.IGNORECASE)
_NUMBERS = frozenset({"integer", "number", "int", "float"})
_MOST_SHOWN = 60
Verdict = tuple[str, tuple[Finding, ...]]
"""An outcome and what was wrong."""


def judge_call(asked: Asked, written: Written, effects: Effects) -> Verdict:
    """What a call is worth."""
    call = written.call
    if call is None:
        outcome = UNPARSEABLE if written.begins else NO_CALL
        return outcome, (Finding(outcome, written.problem),)
    further = [Finding("further_calls", f"{written.further} more")] if written.further else []
    outcome, findings = _judge(asked, call, effects)
    return outcome, (*findings, *further)


def names_of(asked: Asked) -> frozenset[str]:
    """The names of the tools beside a call, and its own."""
    return frozenset({asked.name, *map(definition_name, asked.example.definitions)})


def _judge(asked: Asked, call: TextCall, effects: Effects) -> Verdict:
    if call.api != asked.name:
        return WRONG_NAME, (Finding(WRONG_NAME, f"{_shown(call.api)} for {asked.name}"),)
    renamed = RENAMED.get(asked.name, {})
    back = {ours: recorded for recorded, ours in renamed.items() if ours not in asked.arguments}
    given = {back.get(name, name): value for name, value in call.arguments}
    outcome, findings = _compared(asked, given)
    if outcome == RIGHT:
        return RIGHT, findings
    done = effects.of(asked, given)
    if done == RIGHT:
        return RIGHT, (Finding("same_effect", "the world shows no difference"), *findings)
    return done if done and outcome == WRONG_VALUE else outcome, findings


def _compared(asked: Asked, given: Mapping[str, Plain]) -> Verdict:
    """What arguments are worth by what they say."""
    known = {*asked.arguments, *(asked.recorded or {}), *(one.name for one in asked.parameters)}
    unknown = [name for name in given if name not in known]
    if unknown:
        return UNKNOWN_PARAMETER, tuple(Finding(UNKNOWN_PARAMETER, _shown(one)) for one in unknown)
    missing = [name for name in asked.arguments if name not in given]
    if missing:
        return MISSING_ARGUMENT, tuple(Finding(MISSING_ARGUMENT, name) for name in missing)
    differing = tuple(_differing(asked, given))
    return (WRONG_VALUE if differing else RIGHT), differing


def _differing(asked: Asked, given: Mapping[str, Plain]) -> Iterator[Finding]:
    for name, value in given.items():
        if name not in asked.arguments:
            if value is not None:
                yield Finding("extra_argument", f"{name}={_shown(value)}")
        elif not _is_equal(asked, name, value):
            wanted = asked.arguments[name]
            yield Finding(WRONG_VALUE, f"{name}={_shown(value)} for {_shown(wanted)}")


def _is_equal(asked: Asked, name: str, value: Plain) -> bool:
    wanted: list[Plain] = [asked.arguments[name]]
    if asked.recorded is not None and name in asked.recorded:
        wanted.append(asked.recorded[name])
    parameter = next((one for one in asked.parameters if one.name == name), None)
    is_number = (parameter is not None and parameter.type in _NUMBERS) or any(
        not isinstance(one, str) and number_of(one) is not None for one in wanted
    )
    if any(equal(value, one, is_number=is_number) for one in wanted):
        return True
    if parameter is not None and _IGNORES_CASE.search(parameter.description or ""):
        return any(folded(value, one) for one in wanted)
    return asked.name == SEARCH and _finds_the_same(asked, value, wanted)


def _finds_the_same(asked: Asked, value: Plain, wanted: Sequence[Plain]) -> bool:
    """Whether keywords are as good as the recorded ones."""
    words = _words(value)
    if not words:
        return False
    return any(words == _words(one) for one in (*wanted, *_found_names(asked)))


def _found_names(asked: Asked) -> Iterator[str]:
    if asked.position is None:
        return
    result = asked.example.calls[asked.position].result
    if result is None:
        return
    tools = list(tools_in(rendered(result.output, str)))
    if tools and isinstance(name := tools[-1].get("name"), str):
        yield name


def _words(value: Plain) -> list[str]:
    if not isinstance(value, str):
        return []
    return sorted(word.lower() for word in NAME_WORD.findall(value))


def _shown(value: Plain) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
