"""Find literals that a shortcut stores, compares or suggests under a label such as "API Key".

The literal of a text, number or URL action is labelled by the name of the action's output, by the
name of a variable that stores the output, or by a comment directly before the action. A suggested
answer is labelled by its question, and the text of an alert by its title. If a condition compares a
value under a secret label with a literal, the literal is secret, too.

A suggested answer of ten digits is treated as a phone number. In other texts, ten digits are most
often ids, sizes or times; a time in seconds starts with 1, but none of these phone numbers does.
"""

import re
from collections.abc import Iterator, Mapping

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    CONDITIONS,
    NUMBER,
    SYSTEM_PREFIX,
    TEXT,
    URL,
    VARIABLE_SETTERS,
)
from benchloom.core.records import Action, Shortcut
from benchloom.normalise.redaction.finders import FlowFinder, Scan
from benchloom.normalise.redaction.finders._labels import NAMES
from benchloom.normalise.redaction.finders._names import (
    LABELS,
    literal_of,
    question_kind,
    secret_kind,
)
from benchloom.normalise.redaction.finders.labelled_texts import (
    is_labelled_secret,
    is_value_of_neighbour,
)
from benchloom.normalise.redaction.finders.phones import is_service_number
from benchloom.normalise.redaction.placeholders import is_stand_in, unnamed

_ASK = f"{SYSTEM_PREFIX}ask"
_COMMENT = f"{SYSTEM_PREFIX}comment"
_TITLES = {
    "WFAlertActionTitle": "WFAlertActionMessage",
    "WFNotificationActionTitle": "WFNotificationActionBody",
}
"""Maps a parameter with a title to the parameter with the text under this title."""
_ANSWER = "WFAskActionDefaultAnswer"
_ANSWERS = (_ANSWER, "WFAskActionDefaultAnswerNumber")
_NUMBER = re.compile(r"1?[2-9]\d{2}[2-9]\d{6}", re.ASCII)
_LOCALE = re.compile(r"[a-z]{2,3}[-_][A-Z]{2}")  # A language with a country identifies no person.
_PERSONAL = re.compile(
    r"(?i)log-?in|user ?name|e-?mail|phone|number to call|address|adresse|dirección|home|"
    r"your name|birth|account|key\b|webhook|\bid\b|\bip\b|密码|电话|手机|邮箱|地址|账号"
)
"""Matches personal values, other than secrets, for which questions at installation ask."""
_COMPARED = frozenset({"WFConditionalActionString", "WFNumberValue", "WFAnotherNumber", CONDITIONS})
_LITERALS = {TEXT: "WFTextActionText", NUMBER: "WFNumberActionNumber", URL: "WFURLActionURL"}


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    secret_kinds = {
        (question.action_index, question.parameter): kind
        for question in shortcut.needs_input.import_questions
        if question.action_index is not None
        and (kind := _answer_kind(unnamed(question.question))) is not None
    }
    actions = shortcut.actions
    secret_kinds |= {
        (action.index, body): "spoken_secret"
        for action in actions
        for title, body in _TITLES.items()
        if is_value_of_neighbour(_typed(action, title), _typed(action, body))
    }
    for position, action in enumerate(actions):
        if action.identifier in _LITERALS and action.output_name:
            _mark(secret_kinds, action, action.output_name)
        elif action.identifier in VARIABLE_SETTERS:
            source = _source(actions, position)
            if source is not None:
                _mark(secret_kinds, source, _typed(action, "WFVariableName"))
        elif action.identifier == _ASK:
            secret_kinds |= _suggested_kinds(action)
        elif action.identifier == _COMMENT:
            _mark_behind(secret_kinds, action, actions[position + 1 : position + 2])
        elif action.identifier == CONDITIONAL:
            kind = next(filter(None, _compared_kinds(actions, action)), None)
            if kind is not None:
                secret_kinds |= {
                    (action.index, argument.name): kind
                    for argument in action.arguments
                    if argument.name in _COMPARED
                }
    return secret_kinds


def _answer_kind(question: str) -> str | None:
    # Codes, numbers and keys of any name are recognised by their form, too.
    kind = question_kind(question)
    is_personal = kind is not None and kind not in NAMES
    return "import_answer" if is_personal or _PERSONAL.search(question) else kind


def _suggested_kinds(action: Action) -> dict[tuple[int, str], str]:
    kinds: dict[tuple[int, str], str] = {}
    for name in _ANSWERS:
        answer = _typed(action, name)
        if _NUMBER.fullmatch(answer) and not is_service_number(answer):
            kinds[action.index, name] = "phone"
    prompt = _typed(action, "WFAskActionPrompt")
    kind = question_kind(prompt)
    if (kind is None or kind in NAMES) and is_labelled_secret(prompt, _typed(action, _ANSWER)):
        kind = "spoken_secret"
    return kinds if kind is None else kinds | {(action.index, _ANSWER): kind}


def _mark(secret_kinds: dict[tuple[int, str], str], action: Action, label: str) -> None:
    # A literal that contains its own label is a sentence, in which text finders find the value.
    parameter = _LITERALS.get(action.identifier, "")
    literal = _typed(action, parameter)
    if not literal or label in literal:
        return
    kind = secret_kind(label)
    if kind is None or kind in NAMES:
        kind = "spoken_secret" if is_labelled_secret(label, literal) else kind
    if kind is not None:
        secret_kinds[action.index, parameter] = kind


def _mark_behind(
    secret_kinds: dict[tuple[int, str], str], comment: Action, following: tuple[Action, ...]
) -> None:
    label = _typed(comment, "WFCommentActionText")
    for action in following:
        parameter = _LITERALS.get(action.identifier, "")
        if is_value_of_neighbour(label, _typed(action, parameter)):
            secret_kinds[action.index, parameter] = "spoken_secret"


def _compared_kinds(actions: tuple[Action, ...], action: Action) -> Iterator[str | None]:
    for argument in action.arguments:
        for reference in argument.references:
            yield secret_kind(reference.output or "")
            if reference.action_index is not None and reference.action_index < len(actions):
                yield question_kind(_typed(actions[reference.action_index], "WFAskActionPrompt"))


def _typed(action: Action, parameter: str) -> str:
    for argument in action.arguments:
        if argument.name == parameter:
            return literal_of(argument.value)
    return ""


def _source(actions: tuple[Action, ...], position: int) -> Action | None:
    for argument in actions[position].arguments:
        if argument.name == "WFInput" and argument.references:
            index = argument.references[0].action_index
            return actions[index] if index is not None and index < len(actions) else None
    return actions[position - 1] if position else None


FINDER = FlowFinder(
    kinds=("phone", "import_answer", "spoken_secret", *LABELS),
    find=_find,
    values={"import_answer": lambda value: not (is_stand_in(value) or _LOCALE.fullmatch(value))},
)
