"""Families of actions: one module a family, one function under `@action` an action."""

from collections.abc import Mapping
from functools import cache
from types import ModuleType

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind
from benchloom.device.call import ActionOf, actions_of

FAMILIES = Kind("family of actions", __name__, ModuleType)


@cache
def all_actions() -> Mapping[str, ActionOf]:
    """Return every action by identifier.

    Raises:
        RunError: two families have the same action.
    """
    actions: dict[str, ActionOf] = {}
    for name, module in FAMILIES.all().items():
        for identifier, member in actions_of(vars(module)).items():
            if identifier in actions:
                raise RunError(f"two families have the action {identifier}; one is {name}")
            actions[identifier] = member
    return actions
