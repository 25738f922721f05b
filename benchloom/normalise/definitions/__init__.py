"""Convert parsed API definitions to published rows, and find the definition of an action.

`DefinitionIndex` finds the definition of an API; `holds` evaluates the conditions of parameters.
"""

from collections.abc import Iterable

import msgspec

from benchloom.core.built_in_actions import SYSTEM_APP, SYSTEM_PREFIX
from benchloom.core.records import (
    Action,
    ActionDefinition,
    ApiDefinition,
    Argument,
    Dependency,
    Parameter,
)


class DefinitionIndex:
    """All API definitions, which can be looked up by API."""

    def __init__(self, definitions: Iterable[ApiDefinition]) -> None:
        self._by_api: dict[str, ApiDefinition] = {}
        self._apps: set[str] = set()
        for definition in definitions:
            if definition.app is not None:
                self._by_api.setdefault(definition.api, definition)
                self._apps.add(definition.app)
                self._apps.add(_app_of_api(definition.api))

    def find(self, api: str) -> ApiDefinition | None:
        """Return the definition of an API, or None if there is none."""
        return self._by_api.get(api)

    def join(self, action: Action) -> ActionDefinition:
        """Return the id of the definition of an action's API, or the reason why there is none."""
        definition = self._by_api.get(action.identifier)
        if definition is not None:
            identifier = definition.definition_id
            return ActionDefinition(action.index, action.identifier, identifier)
        if not action.identifier:
            reason = "no_identifier"
        elif action.app in self._apps or _app_of_api(action.identifier) in self._apps:
            reason = "unknown_api"
        else:
            reason = "unknown_app"
        return ActionDefinition(action.index, action.identifier, None, reason)


def _app_of_api(api: str) -> str:
    return SYSTEM_APP if api.startswith(SYSTEM_PREFIX) else api.rpartition(".")[0]


def holds(
    condition: Dependency, arguments: dict[str, Argument], parameters: dict[str, Parameter]
) -> bool | None:
    """Return whether a condition holds in a call, or None if only running the call can show it."""
    if condition.parameter.startswith("@"):
        return None
    argument = arguments.get(condition.parameter)
    if argument is not None and argument.kind != "literal":
        return True if condition.relation == "has_value" else None
    parameter = parameters.get(condition.parameter)
    default = parameter.default if parameter is not None else None
    value = argument.value if argument is not None else default
    if condition.relation == "has_value":
        return value is not None and value != '""'
    if condition.relation == "has_no_value":
        return value is None or value == '""'
    return _compare(condition, value, parameter)


def _compare(condition: Dependency, value: str | None, parameter: Parameter | None) -> bool | None:
    if value is None:
        # A switch that was never touched is off; any other value cannot be guessed.
        if parameter is None or parameter.type != "Boolean":
            return None
        value = "false"
    actual = _canonical(value)
    expected = [_canonical(text) for text in condition.values]
    if condition.relation == "==":
        return actual in expected
    if condition.relation == "!=":
        return actual not in expected
    left, right = _number(actual), _number(expected[0]) if expected else None
    if left is None or right is None:
        return None
    orders = {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}
    return orders.get(condition.relation)


def _canonical(text: str) -> object:
    value = msgspec.json.decode(text)
    if isinstance(value, bool):
        return value
    number = _number(value)
    return value if number is None else number


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None
