"""Find the blocks and branches of a shortcut in one pass, with a stack of open blocks.

A control action has a mode (begin, divide or end a block) and a group, which identifies the block.
Rules for damaged files: a missing mode opens a block when its group is new and divides the group's
block otherwise; numeric strings count as integers; a middle or end of an unknown group is ignored;
an end that crosses inner blocks closes them; blocks left open close at the end. Every rule that was
needed is flagged.
"""

import re
from collections.abc import Sequence

import msgspec

from benchloom.core.built_in_actions import CONTROL, GROUP, MODE

OPEN, DIVIDE, CLOSE = 0, 1, 2
_MODE_AS_TEXT = re.compile(r"\s*0*([0-9])\s*")
_CONTROL_NAMES = {OPEN: "open", DIVIDE: "branch", CLOSE: "close"}


class Position(msgspec.Struct, frozen=True, gc=False):
    """The position of one action among the blocks and branches of a shortcut."""

    depth: int
    block: int | None
    branch: int | None
    control: str | None


class _Block:
    __slots__ = ("branch", "group", "number")

    def __init__(self, number: int, group: object) -> None:
        self.number = number
        self.group = group
        self.branch = 0


class ControlFlow:
    """The positions of the actions so far, and the oddities (`flags`) that were tolerated."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.flags: set[str] = set()
        self._stack: list[_Block] = []
        self._open_groups: dict[object, int] = {}
        self._blocks = 0
        self._closed: set[object] = set()

    def step(self) -> None:
        """Store the position of an action that is not a control action."""
        self.positions.append(self._position(len(self._stack), None))

    def control(self, parameters: dict[str, object]) -> None:
        """Store the position of a control action, which opens, divides or closes a block."""
        group = parameters.get(GROUP)
        if not isinstance(group, str):
            self.flags.add("missing_group")
            group = None
        mode = self._mode(parameters.get(MODE), group)
        if mode == OPEN:
            self._open(group)
        elif group not in self._open_groups:
            self.flags.add("unmatched_control")
            self.step()
        else:
            self._close_inner(group)
            if mode == DIVIDE:
                self._stack[-1].branch += 1
            self.positions.append(self._position(len(self._stack) - 1, _CONTROL_NAMES[mode]))
            if mode == CLOSE:
                self._pop()

    def _mode(self, value: object, group: object) -> int:
        if isinstance(value, str) and (mode := _MODE_AS_TEXT.fullmatch(value)):
            self.flags.add("control_mode_as_text")
            value = int(mode[1])
        if isinstance(value, float) and value in _CONTROL_NAMES:
            value = int(value)
        if isinstance(value, int) and value in _CONTROL_NAMES:
            return int(value)
        self.flags.add("missing_control_mode" if value is None else "bad_control_mode")
        return DIVIDE if group in self._open_groups else OPEN

    def _open(self, group: object) -> None:
        if group in self._open_groups or group in self._closed:
            self.flags.add("group_reused")
        block = _Block(self._blocks, group)
        self._blocks += 1
        self._stack.append(block)
        self._open_groups[group] = self._open_groups.get(group, 0) + 1
        self.positions.append(self._position(len(self._stack) - 1, "open"))

    def _close_inner(self, group: object) -> None:
        while self._stack[-1].group != group:
            self.flags.add("crossing_blocks")
            self._pop()

    def _pop(self) -> None:
        block = self._stack.pop()
        left = self._open_groups[block.group] - 1
        if left:
            self._open_groups[block.group] = left
        else:
            del self._open_groups[block.group]
        self._closed.add(block.group)

    def _position(self, depth: int, control: str | None) -> Position:
        if not self._stack:
            return Position(depth, None, None, control)
        return Position(depth, self._stack[-1].number, self._stack[-1].branch, control)

    def finish(self) -> None:
        """Close the blocks that are still open."""
        if self._stack:
            self.flags.add("unclosed_block")
        while self._stack:
            self._pop()


def control_flow(actions: Sequence[tuple[str, dict[str, object]]]) -> ControlFlow:
    """Find the position of each action in the blocks of a shortcut, in linear time.

    Each action is a pair of its identifier and its parameters.
    """
    flow = ControlFlow()
    for identifier, parameters in actions:
        if identifier in CONTROL:
            flow.control(parameters)
            continue
        flow.step()
        if GROUP in parameters:
            flow.flags.add("group_on_other_action")
    flow.finish()
    return flow
