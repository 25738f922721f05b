"""Default answers to questions that ask for a secret: "Enter your Todoist token"."""

from collections.abc import Mapping
from itertools import pairwise

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.finder import FlowFinder, Scan, folded
from benchloom.normalise.redaction.finders._names import SECRET_HINT, secret_kind, words_of

_ASK = f"{SYSTEM_PREFIX}ask"
_ANSWER = "WFAskActionDefaultAnswer"


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    secret_kinds: dict[tuple[int, str], str] = {}
    for action in shortcut.actions:
        if action.identifier != _ASK:
            continue
        values = {argument.name: argument.value for argument in action.arguments}
        kind = _kind_of(values.get("WFAskActionPrompt", "")) if _ANSWER in values else None
        if kind is not None:
            secret_kinds[action.index, _ANSWER] = kind
    return secret_kinds


def _kind_of(question: str) -> str | None:
    if not SECRET_HINT.search(folded(question)):
        return None
    value = msgspec.json.decode(question)
    if isinstance(value, dict):
        inner = value.get("Value")
        value = inner.get("string") if isinstance(inner, dict) else None
    words = ["", *words_of(value)] if isinstance(value, str) else []
    kinds = (secret_kind(" ".join(pair)) for pair in pairwise(words))
    return next((kind for kind in kinds if kind is not None), None)


FINDER = FlowFinder(kinds=("password", "secret", "token"), find=_find)
