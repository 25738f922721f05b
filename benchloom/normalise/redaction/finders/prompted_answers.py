"""Default answers to questions: secrets that the question asks for, and phone numbers.

In other places ten digits are ids, sizes and times; somebody who types them as an answer most
often means a number to call. Times in seconds start with 1, which no such number does.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.finder import FlowFinder, Scan, folded
from benchloom.normalise.redaction.finders._names import SECRET_HINT, secret_kind, words_of

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
            if name in values and _NUMBER.fullmatch(_plain(values[name])):
                kinds[action.index, name] = "phone"
        kind = _kind_of(values.get("WFAskActionPrompt", "")) if _ANSWER in values else None
        if kind is not None:
            kinds[action.index, _ANSWER] = kind
    return kinds


def _kind_of(question: str) -> str | None:
    """Return the kind of secret that a question asks for: "Enter your Todoist token"."""
    if not SECRET_HINT.search(folded(question)):
        return None
    words = ["", *words_of(_plain(question))]
    kinds = (secret_kind(" ".join(pair)) for pair in pairwise(words))
    return next((kind for kind in kinds if kind is not None), None)


def _plain(encoded: str) -> str:
    value = msgspec.json.decode(encoded)
    if isinstance(value, dict):
        inner = value.get("Value")
        value = inner.get("string") if isinstance(inner, dict) else None
    return str(value).strip() if isinstance(value, str | int) else ""


FINDER = FlowFinder(kinds=("password", "phone", "secret", "token"), find=_find)
