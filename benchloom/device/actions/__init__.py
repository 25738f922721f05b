"""Implement the actions of shortcuts, as functions that the decorator `action` marks.

Many actions ask for something outside the device, such as a web page or a choice of the user. They
return one of the answers that are supplied to the run (`benchloom.device.answers`).
"""

from collections.abc import Mapping
from functools import cache
from types import ModuleType

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind
from benchloom.device.call import IDENTIFIERS, Function

FAMILIES = Kind("module of actions", __name__, ModuleType)


@cache
def all_actions() -> Mapping[str, Function]:
    """Return a mapping from each action's identifier to its implementation.

    Raises:
        RunError: two modules define the same action.
    """
    actions: dict[str, Function] = {}
    for name, module in FAMILIES.all().items():
        for function in vars(module).values():
            for identifier in getattr(function, IDENTIFIERS, ()):
                if actions.get(identifier, function) is not function:
                    raise RunError(f"action {identifier} is defined in two modules; one is {name}")
                actions[identifier] = function
    return actions
