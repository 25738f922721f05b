"""Literals that a shortcut stores under a revealing name, such as a variable "API Key".

The literal is in a text, number or URL action. The name is that of the action's output, or of
the variable that is set by the next action or by an action that refers to the output. A literal
with which a condition compares such a variable, or the answer to a question for a secret, counts.
"""

from collections.abc import Iterator, Mapping

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    CONDITIONS,
    NUMBER,
    TEXT,
    URL,
    VARIABLE_SETTERS,
)
from benchloom.core.records import Action, Shortcut
from benchloom.normalise.redaction.finders import FlowFinder, Scan
from benchloom.normalise.redaction.finders._names import (
    LABELS,
    literal_of,
    question_kind,
    secret_kind,
)

_COMPARED = frozenset({"WFConditionalActionString", "WFNumberValue", "WFAnotherNumber", CONDITIONS})
_LITERALS = {TEXT: "WFTextActionText", NUMBER: "WFNumberActionNumber", URL: "WFURLActionURL"}


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    secret_kinds: dict[tuple[int, str], str] = {}
    actions = shortcut.actions
    for position, action in enumerate(actions):
        if action.identifier in _LITERALS and action.output_name:
            _mark(secret_kinds, action, secret_kind(action.output_name))
        elif action.identifier in VARIABLE_SETTERS:
            kind = secret_kind(_typed(action, "WFVariableName"))
            if kind is not None:
                source = _source(actions, position)
                if source is not None:
                    _mark(secret_kinds, source, kind)
        elif action.identifier == CONDITIONAL:
            kind = next(filter(None, _compared_kinds(actions, action)), None)
            if kind is not None:
                secret_kinds |= {
                    (action.index, argument.name): kind
                    for argument in action.arguments
                    if argument.name in _COMPARED
                }
    return secret_kinds


def _mark(secret_kinds: dict[tuple[int, str], str], action: Action, kind: str | None) -> None:
    if kind is not None and action.identifier in _LITERALS:
        secret_kinds[action.index, _LITERALS[action.identifier]] = kind


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


FINDER = FlowFinder(kinds=tuple(LABELS), find=_find)
