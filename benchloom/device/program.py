"""Prepare a shortcut for a run: convert its arguments to functions, and its blocks to jumps."""

import msgspec

from benchloom.core.early_offsets import PICKER, with_duration
from benchloom.core.records import Action, Argument, Shortcut
from benchloom.device.arguments import Template, template_of

_OFFSETS = (PICKER, "WFAdjustOffset")


class Step(msgspec.Struct, frozen=True):
    """An action of a shortcut, with the indices of related steps in its block, or -1.

    A step that opens a block has `branches`, the steps that divide the block (such as Otherwise or
    a menu entry), and `end`, the last step of the block. A step that divides or closes a block has
    `owner`, the step that opens the block.
    """

    index: int
    identifier: str
    control: str | None
    uuid: str | None
    arguments: dict[str, Template]
    branches: tuple[int, ...] = ()
    end: int = -1
    owner: int = -1


def program_of(shortcut: Shortcut) -> list[Step]:
    """Return the steps of a shortcut; a block that is not closed ends with its outer block."""
    actions = shortcut.actions
    openers: dict[int, int] = {}
    branches: dict[int, list[int]] = {}
    ends: dict[int, int] = {}
    owners: dict[int, int] = {}
    for action in actions:
        if action.control is None or action.block is None:
            continue
        if action.control == "open":
            openers[action.block] = action.index
            branches[action.index] = []
        elif action.block in openers:
            opener = owners[action.index] = openers[action.block]
            if action.control == "branch":
                branches[opener].append(action.index)
            else:
                ends[opener] = action.index
    for opener in branches:
        if opener not in ends:
            ends[opener] = _last(actions, opener)
    return [
        Step(
            action.index,
            action.identifier,
            action.control,
            action.uuid,
            {
                name: template_of(msgspec.json.decode(argument.value))
                for name, argument in _arguments(action).items()
            },
            tuple(branches.get(action.index, ())),
            ends.get(action.index, -1),
            owners.get(action.index, -1),
        )
        for action in actions
    ]


def _arguments(action: Action) -> dict[str, Argument]:
    arguments = {argument.name: argument for argument in action.arguments}
    offset = next((name for name in _OFFSETS if name in arguments), None)
    return arguments if offset is None else with_duration(arguments, offset)


def _last(actions: tuple[Action, ...], opener: int) -> int:
    block, depth = actions[opener].block, actions[opener].depth
    last = opener
    while last + 1 < len(actions):
        following = actions[last + 1]
        if following.depth <= depth and following.block != block:
            break
        last += 1
    return last
