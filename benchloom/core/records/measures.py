"""Length and number of APIs of a shortcut, counted from its rows to check the parser.

The length is ShortcutsBench's: only the longest branch of a condition or a menu counts, and control
actions, comments and alerts do not.
"""

from collections.abc import Sequence

import msgspec

from benchloom.core.built_in_actions import BRANCHING, UNCOUNTED_OR_NONE
from benchloom.core.records.shortcut import Action


class Measures(msgspec.Struct, frozen=True):
    """The counts for the actions of one shortcut."""

    length: int
    unique_api_count: int
    action_count: int


class _Block:
    __slots__ = ("branches", "branching", "number")

    def __init__(self, number: int | None, *, branching: bool) -> None:
        self.number = number
        self.branching = branching
        self.branches = [0]

    def length(self) -> int:
        return max(self.branches) if self.branching else sum(self.branches)


def measure(actions: Sequence[Action]) -> Measures:
    """Count the length, the distinct APIs and the actions of a shortcut."""
    stack = [_Block(None, branching=False)]
    for action in actions:
        if action.control == "open":
            stack.append(_Block(action.block, branching=action.identifier in BRANCHING))
        elif action.control is not None:
            _close_until(stack, action.block)
            if action.control == "branch":
                stack[-1].branches.append(0)
            elif len(stack) > 1:
                _close(stack)
        elif action.identifier not in UNCOUNTED_OR_NONE:
            stack[-1].branches[-1] += 1
    _close_until(stack, None)
    counted = {action.identifier for action in actions} - UNCOUNTED_OR_NONE
    return Measures(stack[0].length(), len(counted), len(actions))


def _close_until(stack: list[_Block], number: int | None) -> None:
    while len(stack) > 1 and stack[-1].number != number:
        _close(stack)


def _close(stack: list[_Block]) -> None:
    length = stack.pop().length()
    stack[-1].branches[-1] += length
