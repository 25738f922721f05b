"""Decide whether only one action can have set a variable that another action reads.

The action that reads the variable is called the reader, and the last action before it that sets the
variable is called the setter. No other action can have set the variable if two conditions hold: the
reader is in the same branch as the setter, or in a branch inside it; and no loop that contains the
reader but not the setter sets the variable again after the reader.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

import msgspec

from benchloom.core.built_in_actions import REPEAT_COUNT, REPEAT_EACH, VARIABLE_SETTERS
from benchloom.core.records.shortcut import Action

_LOOPS = frozenset({REPEAT_COUNT, REPEAT_EACH})
_NAME = "WFVariableName"


class Scopes:
    """Finds out whether an action is the only one that can have set a variable.

    Call `enter` for each action in order, and then `sets_alone` for variables that this action
    reads.
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions
        self._branch_ends, self._block_ends = _ends(actions)
        self._setters: defaultdict[str, list[int]] = defaultdict(list)
        for index, action in enumerate(actions):
            name = _variable_set(action)
            if name is not None:
                self._setters[name].append(index)
        self._loops: list[int] = []
        self._at = 0

    def enter(self, index: int) -> None:
        """Continue to the action with this index, which reads variables."""
        self._at = index
        while self._loops and self._block_ends[self._loops[-1]] <= index:
            self._loops.pop()
        if index and self._actions[index - 1].control == "open":
            opened = index - 1
            if self._actions[opened].identifier in _LOOPS and self._block_ends[opened] > index:
                self._loops.append(opened)

    def sets_alone(self, setter: int, name: str) -> bool:
        """Whether only the action `setter` can have set the variable that is read here.

        The reader is the last action that was passed to `enter`.
        """
        if not 0 <= setter < self._at:
            return False
        action = self._actions[setter]
        if action.control == "open":
            return action.identifier in _LOOPS  # a loop has its own variables
        if self._branch_ends[setter] <= self._at:
            return False
        outermost = bisect_right(self._loops, setter)
        if outermost == len(self._loops):
            return True
        setters = self._setters.get(name, [])
        later = bisect_left(setters, self._at)
        return later == len(setters) or setters[later] >= self._block_ends[self._loops[outermost]]


def _ends(actions: Sequence[Action]) -> tuple[list[int], dict[int, int]]:
    """Return the ends of branches and of blocks, as indices of actions.

    The list has, for each action, the end of the branch that it is in. The mapping has, for each
    action that opens a block, the end of the block.
    """
    branch_ends = [len(actions)] * len(actions)
    block_ends: dict[int, int] = {}
    open_at: list[int] = []
    inside: list[list[int]] = [[]]

    def end_branch(index: int) -> None:
        for action_index in inside[-1]:
            branch_ends[action_index] = index
        inside[-1] = []

    def end_block(index: int) -> None:
        end_branch(index)
        inside.pop()
        block_ends[open_at.pop()] = index

    for index, action in enumerate(actions):
        if action.control == "open":
            inside[-1].append(index)
            open_at.append(index)
            inside.append([])
            continue
        if action.control is not None:
            # Closes deeper blocks, whose own end is missing in the file.
            while len(open_at) > action.depth + 1:
                end_block(index)
            if open_at:
                end_branch(index)
                if action.control == "close":
                    end_block(index)
        inside[-1].append(index)
    while open_at:
        end_block(len(actions))
    return branch_ends, block_ends


def _variable_set(action: Action) -> str | None:
    if action.identifier not in VARIABLE_SETTERS:
        return None
    for argument in action.arguments:
        if argument.name == _NAME and argument.value.startswith('"'):
            try:
                return msgspec.json.decode(argument.value, type=str)
            except msgspec.DecodeError:
                return None
    return None
