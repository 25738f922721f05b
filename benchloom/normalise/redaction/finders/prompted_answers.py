"""Default answers to questions: secrets that the question asks for, and phone numbers.

In other places ten digits are ids, sizes and times; somebody who types them as an answer most
often means a number to call. Times in seconds start with 1, which no such number does.
"""

import re
from collections.abc import Mapping

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.finders import FlowFinder, Scan
from benchloom.normalise.redaction.finders._names import LABELS, literal_of, question_kind

_ASK = f"{SYSTEM_PREFIX}ask"
_ANSWER = "WFAskActionDefaultAnswer"
_ANSWERS = (_ANSWER, "WFAskActionDefaultAnswerNumber")
_NUMBER = re.compile(r"1?[2-9]\d{2}[2-9]\d{6}", re.ASCII)


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    kinds: dict[tuple[int, str], str] = {}
    for action in shortcut.actions:
        if action.identifier != _ASK:
            continue
        values = {argument.name: argument.value for argument in action.arguments}
        for name in _ANSWERS:
            if name in values and _NUMBER.fullmatch(literal_of(values[name])):
                kinds[action.index, name] = "phone"
        kind = question_kind(literal_of(values.get("WFAskActionPrompt", '""')))
        if kind is not None and _ANSWER in values:
            kinds[action.index, _ANSWER] = kind
    return kinds


FINDER = FlowFinder(kinds=("phone", *LABELS), find=_find)
