"""Read the output of a model, which predicts an action or the end of the shortcut."""

from collections.abc import Mapping

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmarks.shortcuts.labels import Labels
from benchloom.evaluate.benchmarks.shortcuts.parameters import arguments_of
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER, PARAMETERS
from benchloom.evaluate.json_texts import json_in

FINISH = "Finish"  # the identifier with which a model ends the shortcut


class Predicted(msgspec.Struct, frozen=True):
    """A predicted action; `values` maps the names of its parameters to their values."""

    identifier: str
    values: Mapping[str, Value]


def read_prediction(output: Plain, labels: Labels, position: int) -> Predicted | None:
    """Return the action in an output, which is an object or a text, or None if there is none.

    The action `Finish` means the end of the shortcut. `position` is the index of the predicted
    action.
    """
    if isinstance(output, str):
        if output.strip(" \t\r\n.\"'`") == FINISH:
            return Predicted(FINISH, {})
        try:
            output = json_in(output, lambda value: _action(value) is not None)
        except RejectedInputError:
            return None
    action = _action(output)
    if action is None:
        return None
    identifier, parameters = action[IDENTIFIER], _parameters(action.get(PARAMETERS))
    if not isinstance(identifier, str) or parameters is None:
        return None
    arguments = arguments_of(identifier, parameters, labels, position)
    return Predicted(identifier, {argument.name: argument.value for argument in arguments})


def _action(value: Plain) -> Mapping[str, Plain] | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) and IDENTIFIER in value else None


def _parameters(value: Plain) -> Mapping[str, Plain] | None:
    if isinstance(value, str) and value.strip():
        try:
            value = json_in(value)
        except RejectedInputError:
            return None
    if not value:
        return {}
    return value if isinstance(value, dict) else None
