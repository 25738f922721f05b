"""Default answers of import questions that ask for secret or personal data."""

import re
from collections.abc import Mapping

from benchloom.core.records import Shortcut
from benchloom.normalise.redaction.finders import FlowFinder, Scan
from benchloom.normalise.redaction.finders._names import question_kind
from benchloom.normalise.redaction.placeholders import is_stand_in, unnamed

_LOCALE = re.compile(r"[a-z]{2,3}[-_][A-Z]{2}")  # A language with a country identifies no person.
_ASKS = re.compile(
    r"(?i)log-?in|user ?name|e-?mail|phone|number to call|address|adresse|dirección|home|"
    r"your name|birth|account|key\b|webhook|\bid\b|\bip\b|密码|电话|手机|邮箱|地址|账号"
)


def _asks(question: str) -> bool:
    return _ASKS.search(question) is not None or question_kind(question) is not None


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    return {
        (question.action_index, question.parameter): "import_answer"
        for question in shortcut.needs_input.import_questions
        if question.action_index is not None and _asks(unnamed(question.question))
    }


FINDER = FlowFinder(
    kinds=("import_answer",),
    find=_find,
    values={"import_answer": lambda value: not (is_stand_in(value) or _LOCALE.fullmatch(value))},
)
