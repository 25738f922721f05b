"""Judge a call as the published scorer does, including its faults.

The published scorer runs calls and compares their results. This module runs no tools: it compares
the predicted arguments with the recorded arguments as the tool understood them, and imitates these
faults:

- the reader cuts lists or leaves them as texts, so `RecordHealthData` raises an exception, and the
  meeting tools compare a text with a list;
- `DeleteMeeting` compares by a key that results do not have;
- the meeting tools remove keys from the recorded call, so a second comparison raises an exception;
  a call that directly follows another call is compared twice and counts twice;
- recorded calls of the timed switches use a parameter that was renamed later;
- results of `QueryScene` are recorded in another letter case than in the database;
- each call runs on a fresh database (`GoldSample.fresh`);
- `RecordHealthData` ignores the data, `PlayMusic` compares only the music, `GetToday` accepts any
  day;
- some tools ignore letter case, or accept texts that share over half of their words.
"""

import re
from collections.abc import Mapping

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import RIGHT, UNPARSEABLE
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample
from benchloom.evaluate.benchmarks.api_bank.outcomes import (
    EXCEPTION,
    KEY_ERROR,
    MISSING_ARGUMENT,
    NO_CALL,
    UNKNOWN_PARAMETER,
    WRONG_NAME,
    WRONG_RESULT,
    WRONG_VALUE,
    counts_of,
)
from benchloom.evaluate.benchmarks.api_bank.outputs import first_call
from benchloom.evaluate.benchmarks.api_bank.right import Verdict
from benchloom.exchange.examples import Finding
from benchloom.worlds.suites.api_bank.tools import renamed_parameters

_CALL = re.compile(r"\[(\w{1,200}+)\(")
_END = ")]"
_ARGUMENT = re.compile(r"\b(\w++)\s*+=\s*+(?:'([^']*+)'|\"([^\"]*+)\"|([^\s,'\"]++))")
_POPPED = frozenset({"AddMeeting", "ModifyMeeting", "QueryMeeting"})
_IGNORED = {"RecordHealthData": frozenset({"health_data"})}
_ANY_CASE = {
    "AddScene": "name",
    "CancelTimedSwitch": "name",
    "DeleteScene": "name",
    "Dictionary": "keyword",
    "EmergencyKnowledge": "symptom",
    "ModifyScene": "name",
    "PlayMusic": "music_name",
    "QueryHealthData": "user_id",
    "QueryScene": "name",
    "QueryStock": "stock_code",
    "RecordHealthData": "user_id",
    "SearchEngine": "keyword",
    "SymptomSearch": "symptom",
    "TimedSwitch": "name",
    "Wiki": "keyword",
}
"""Maps a tool to the argument in which letter case and outer blanks are ignored."""
_COMMON_WORDS = {
    **dict.fromkeys(("AddAgenda", "DeleteAgenda", "ModifyAgenda", "QueryAgenda"), "content"),
    **dict.fromkeys(("AddMeeting", "ModifyMeeting", "QueryMeeting"), "meeting_topic"),
    **dict.fromkeys(
        ("AddReminder", "DeleteReminder", "ModifyReminder", "QueryReminder"), "content"
    ),
}
"""Maps a tool to the argument that is right if both texts share over half of all their words."""
_FOLDS_WORDS = "Reminder"  # ending of tools that ignore the letter case of words
_NEEDS_LIST = {"RecordHealthData": "health_data"}
_NETWORK = frozenset({"Translate", "Dictionary"})
_WITHOUT_MISSING = "level-3"  # the level whose missing predictions are left out
_TRUTHS = {"true": True, "false": False}


def judge_call(
    sample: GoldSample, output: Plain
) -> tuple[str, dict[str, float], tuple[Finding, ...]]:
    """Return the outcome of an output, its counts and its faults, as in the published scorer."""
    if sample.level == _WITHOUT_MISSING and (output is None or output == ""):
        return (
            NO_CALL,
            {},
            (Finding("not_counted", "the published scorer leaves out a missing prediction"),),
        )
    outcome, findings = _judge(sample, output)
    times = 2 if sample.twice else 1
    counts = counts_of(outcome, times)
    if times == 1:
        return outcome, counts, findings
    findings = (*findings, Finding("counted_twice", "the call directly follows another call"))
    if outcome == RIGHT and sample.name in _POPPED:
        counts = {**counts_of(KEY_ERROR), "calls": 2.0, "right": 1.0}
        findings = (*findings, Finding("popped_keys", "keys are missing in the second comparison"))
    return outcome, counts, findings


def _judge(sample: GoldSample, output: Plain) -> Verdict:
    read = _read(output)
    if isinstance(read, Finding):
        return read.kind, (read,)
    name, predicted_arguments = read
    if name != sample.name:
        return WRONG_NAME, (Finding(WRONG_NAME, f"for {sample.name}"),)
    old = renamed_parameters().get(name, {})
    parameter_names = {
        *sample.arguments,
        *(sample.recorded or {}),
        *(parameter.name for parameter in sample.parameters),
        *old.values(),
    } - old.keys()
    for argument_name in predicted_arguments:
        if argument_name not in parameter_names:
            why = "renamed_parameter" if argument_name in old else UNKNOWN_PARAMETER
            return UNKNOWN_PARAMETER, (Finding(why, argument_name[:60]),)
    missing = [
        gold_name
        for gold_name in sample.arguments
        if old.get(gold_name, gold_name) not in predicted_arguments
    ]
    if missing:
        return MISSING_ARGUMENT, tuple(
            Finding(MISSING_ARGUMENT, missing_name) for missing_name in missing
        )
    return _run(sample, predicted_arguments)


def _read(output: Plain) -> tuple[str, Mapping[str, Plain]] | Finding:
    """Return the call in an output, or the reason why there is none.

    Texts are read like in the published scorer, which cannot read objects.
    """
    if not isinstance(output, str):
        written = first_call(output, ())
        if written.call is None:
            return Finding(UNPARSEABLE if written.begins else NO_CALL, written.problem)
        return written.call.api, dict(written.call.arguments)
    text = find_call(output)
    if text is None:
        return Finding(NO_CALL, "the output has no text of the form [Name(...)]")
    return read_call(text) or Finding(UNPARSEABLE, "the call has no argument that can be read")


def _run(sample: GoldSample, predicted_arguments: Mapping[str, Plain]) -> Verdict:
    name = sample.name
    cast: dict[str, Plain] = {}
    for argument_name, value in predicted_arguments.items():
        cast_value = _cast(value, _expected_argument(sample, argument_name))
        if isinstance(cast_value, Finding):
            return EXCEPTION, (cast_value,)
        cast[argument_name] = cast_value
    if isinstance(cast.get(_NEEDS_LIST.get(name, "")), str):
        return EXCEPTION, (Finding("list_as_text", _NEEDS_LIST[name]),)
    if sample.fresh:
        return EXCEPTION, (Finding("fresh_database", sample.fresh),)
    if name == "DeleteMeeting":
        return KEY_ERROR, (Finding("compared_key", "time"),)
    ignored = _IGNORED.get(name, frozenset())
    for argument_name in {**sample.arguments, **cast}:
        if argument_name in ignored:
            continue
        gold_value, value = _expected_argument(sample, argument_name), cast.get(argument_name)
        if value != gold_value and not _is_tolerated(name, argument_name, gold_value, value):
            is_text = isinstance(gold_value, list | dict) and isinstance(value, str)
            return WRONG_VALUE, (
                Finding("list_as_text" if is_text else WRONG_VALUE, argument_name),
            )
    if name == "QueryScene":
        return WRONG_RESULT, (
            Finding("letter_case", "the result is recorded in another letter case"),
        )
    if name in _NETWORK:
        return RIGHT, (Finding("needs_network", "the published tool fails without a network"),)
    return RIGHT, ()


def _is_tolerated(tool: str, name: str, gold_value: Plain, value: Plain) -> bool:
    if not isinstance(gold_value, str) or not isinstance(value, str):
        return False
    if _ANY_CASE.get(tool) == name:
        return gold_value.strip().lower() == value.strip().lower()
    if _COMMON_WORDS.get(tool) != name:
        return False
    if tool.endswith(_FOLDS_WORDS):
        gold_value, value = gold_value.lower(), value.lower()
    left, right = set(gold_value.split(" ")), set(value.split(" "))
    return 2 * len(left & right) > len(left | right)


def _expected_argument(sample: GoldSample, name: str) -> Plain:
    if sample.recorded is not None and name in sample.recorded:
        return sample.recorded[name]
    return sample.arguments.get(name)


def _cast(value: Plain, gold_value: Plain) -> "Plain | Finding":
    if (
        not isinstance(value, str)
        or isinstance(gold_value, str | list | dict)
        or gold_value is None
    ):
        return value
    if isinstance(gold_value, bool):
        return _TRUTHS.get(value.lower(), value)
    try:
        return int(value) if isinstance(gold_value, int) else float(value)
    except ValueError:
        return Finding("not_a_number", value[:60])


# The published reader uses the text on one line from `[Name(` to the last `)]`, and in it all
# arguments of the form `name='text'`. A quoted text ends at the next quotation mark of its kind, an
# unquoted text at the next comma or white space. Values remain texts. So a quoted list that
# contains quotation marks is cut: `'[{'name'...` becomes `[{`.
def find_call(text: str) -> str | None:
    """Return the first bracketed call in a text, or None if there is no call."""
    for line in text.split("\n"):
        match = _CALL.search(line)
        end = line.rfind(_END)
        if match is not None and end >= match.end():
            return line[match.start() : end + len(_END)]
    return None


def read_call(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the name and the arguments of a bracketed call, or None if no argument is readable.

    If a name is repeated, the last argument counts. A call with empty brackets is valid and has no
    arguments.
    """
    call_match = _CALL.match(text)
    if call_match is None:
        return None
    inside = text[call_match.end() : -len(_END)]
    arguments = {
        name: quoted_text or other or bare
        for name, quoted_text, other, bare in _ARGUMENT.findall(inside)
    }
    if inside.strip() and not arguments:
        return None
    return call_match[1], arguments
