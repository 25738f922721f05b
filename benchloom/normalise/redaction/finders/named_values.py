"""Literals that a shortcut stores under a revealing name, such as a variable "API Key".

The literal is in a text, number or URL action. The name is that of the action's output, or of
the variable that is set by the next action or by an action that refers to the output.
"""

from collections.abc import Mapping

import msgspec

from benchloom.core.built_in_actions import NUMBER, TEXT, URL, VARIABLE_SETTERS
from benchloom.core.records import Action, Shortcut
from benchloom.normalise.redaction.finder import FlowFinder, Scan
from benchloom.normalise.redaction.finders._names import secret_kind

_LITERALS = {TEXT: "WFTextActionText", NUMBER: "WFNumberActionNumber", URL: "WFURLActionURL"}


def _find(shortcut: Shortcut, _scan: Scan) -> Mapping[tuple[int, str], str]:
    secret_kinds: dict[tuple[int, str], str] = {}
    actions = shortcut.actions
    for position, action in enumerate(actions):
        if action.identifier in _LITERALS and action.output_name:
            _mark(secret_kinds, action, secret_kind(action.output_name))
        elif action.identifier in VARIABLE_SETTERS:
            kind = secret_kind(_variable_name(action))
            if kind is not None:
                source = _source(actions, position)
                if source is not None:
                    _mark(secret_kinds, source, kind)
    return secret_kinds


def _mark(secret_kinds: dict[tuple[int, str], str], action: Action, kind: str | None) -> None:
    if kind is not None and action.identifier in _LITERALS:
        secret_kinds[action.index, _LITERALS[action.identifier]] = kind


def _variable_name(action: Action) -> str:
    for argument in action.arguments:
        if argument.name == "WFVariableName" and argument.value.startswith('"'):
            return msgspec.json.decode(argument.value, type=str)
    return ""


def _source(actions: tuple[Action, ...], position: int) -> Action | None:
    for argument in actions[position].arguments:
        if argument.name == "WFInput" and argument.references:
            index = argument.references[0].action_index
            return actions[index] if index is not None and index < len(actions) else None
    return actions[position - 1] if position else None


FINDER = FlowFinder(kinds=("password", "secret", "token"), find=_find)
