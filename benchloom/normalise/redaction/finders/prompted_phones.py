"""Default answers that are a phone number written as ten digits without punctuation.

In other places ten digits are ids, sizes and times; somebody who types them as an answer most
often means a number to call. Times in seconds start with 1, which no such number does.
"""

import re
from collections.abc import Mapping

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.finder import FlowFinder, Scan

_ASK = f"{SYSTEM_PREFIX}ask"
_ANSWERS = frozenset({"WFAskActionDefaultAnswer", "WFAskActionDefaultAnswerNumber"})
_NUMBER = re.compile(r"1?[2-9]\d{2}[2-9]\d{6}", re.ASCII)


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    return {
        (action.index, argument.name): "phone"
        for action in shortcut.actions
        if action.identifier == _ASK
        for argument in action.arguments
        if argument.name in _ANSWERS and _NUMBER.fullmatch(_plain(argument.value))
    }


def _plain(encoded: str) -> str:
    value = msgspec.json.decode(encoded)
    if isinstance(value, dict):
        inner = value.get("Value")
        value = inner.get("string") if isinstance(inner, dict) else None
    return str(value).strip() if isinstance(value, str | int) else ""


FINDER = FlowFinder(kinds=("phone",), find=_find)
