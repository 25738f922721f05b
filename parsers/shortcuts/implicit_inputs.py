"""Add the implicit inputs that only an API's definition reveals.

In files of early editors every action received the output of the action before: an action whose
definition requires input, but which has none, takes that output. Later editors write the input
down. In their files a missing input may never have been chosen, so nothing is added.
"""

from collections.abc import Callable

import msgspec

from benchloom.core.records import Action, ApiDefinition, Shortcut
from parsers.shortcuts.labels import inputs_before

FIRST_EXPLICIT = 1000
"""First client version whose editor stores every input."""
Find = Callable[[str], ApiDefinition | None]
_MAX_DIGITS = 9


def with_implicit_inputs(shortcut: Shortcut, find: Find) -> tuple[Action, ...]:
    """Return the actions with their implicit inputs; `find` returns an API's definition."""
    if not _is_early(shortcut.client_version):
        return shortcut.actions
    explicit_actions: list[Action] = []
    for action, previous in zip(shortcut.actions, inputs_before(shortcut.actions), strict=True):
        parameter = None if action.implicit_input or action.control else _input_of(action, find)
        if parameter is None:
            explicit_actions.append(action)
            continue
        reference = msgspec.structs.replace(previous, location=parameter)
        explicit_actions.append(msgspec.structs.replace(action, implicit_input=reference))
    return tuple(explicit_actions)


def _is_early(version: str | None) -> bool:
    major = (version or "").partition(".")[0]
    is_number = major.isascii() and major.isdigit() and len(major) <= _MAX_DIGITS
    return is_number and int(major) < FIRST_EXPLICIT


def _input_of(action: Action, find: Find) -> str | None:
    # Empty if the parameter has no name, None if no required input was omitted.
    definition = find(action.identifier)
    declared = declared_input(definition) if definition is not None else None
    if declared is None or declared.get("Required") is not True:
        return None
    key = declared.get("ParameterKey")
    parameter = key if isinstance(key, str) else ""
    supplied = {argument.name for argument in action.arguments}
    return None if parameter in supplied or "WFInput" in supplied else parameter


def declared_input(definition: ApiDefinition) -> dict[str, object] | None:
    """Return what a definition declares about the input of its API, if anything."""
    for note in definition.notes:
        if note.kind == "input_types":
            declared = msgspec.json.decode(note.text)
            return declared if isinstance(declared, dict) else None
    return None
