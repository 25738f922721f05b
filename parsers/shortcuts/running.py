"""The run-time context of an action: the output of the action before, and the loops around it.

An action that takes input but names no source takes the output of the action before, which is
the action above it, with these exceptions: actions that only pass their input on are skipped; a
branch begins with the input of its block; the body of Repeat with Each begins with the item;
the first action of the shortcut takes the shortcut's input.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    CONTROL,
    MENU,
    REPEAT_COUNT,
    REPEAT_EACH,
    VARIABLE_SETTERS,
)
from benchloom.core.records import Action, Argument, Reference
from parsers.shortcuts.vocabulary import CONDITIONS, PASSING_ON

IMPLICIT = "implicit"
"""Kind of a reference to the previous action's output."""
SHORTCUT_INPUT = "ExtensionInput"
"""The `output` of an implicit reference to the input of the shortcut."""
_INPUT = "WFInput"
_TAKING_INPUT = frozenset({CONDITIONAL, REPEAT_EACH})
_LOOP_VARIABLE = re.compile(r"Repeat (Item|Index)(?: ([2-9]|[1-9][0-9]{1,3}))?")


class Source(msgspec.Struct, frozen=True, gc=False):
    """The source of a value: an action, and the name of its output if it has one."""

    action_index: int | None
    output: str | None = None


class _Open(msgspec.Struct, frozen=True, gc=False):
    block: int
    index: int
    identifier: str
    entry: Source


class Running:
    """Follows the actions of a shortcut in order, in constant time per action."""

    def __init__(self) -> None:
        self.previous = Source(None, SHORTCUT_INPUT)
        self._open: list[_Open] = []
        self._loops: list[_Open] = []

    def loop(self, name: str) -> tuple[bool, int | None]:
        """Return whether a loop sets the variable, and the action that opens the loop.

        The number in a variable's name is the depth of its loop, counted from the outermost
        loop inwards; only Repeat with Each has an item. The action is None if no open loop
        fits.
        """
        if not name.startswith("Repeat "):
            return False, None
        match = _LOOP_VARIABLE.fullmatch(name)
        if match is None:
            return False, None
        depth = int(match[2] or 1)
        if depth > len(self._loops):
            return True, None
        loop = self._loops[depth - 1]
        if match[1] == "Item" and loop.identifier != REPEAT_EACH:
            return True, None
        return True, loop.index

    def implicit_input(
        self, identifier: str, control: str | None, arguments: Sequence[Argument]
    ) -> Reference | None:
        """Return the next action's implicit input, None if it certainly has none."""
        if identifier not in VARIABLE_SETTERS and not (
            control == "open" and identifier in _TAKING_INPUT
        ):
            return None
        return None if _has(arguments, _INPUT, CONDITIONS) else self.reference(_INPUT)

    def reference(self, location: str = "") -> Reference:
        """Return a reference to the output that the next action takes as implicit input."""
        return Reference(IMPLICIT, self.previous.action_index, self.previous.output, "", location)

    def follow(self, action: Action) -> None:
        """Advance past an action."""
        if action.control is None:
            named = action.identifier
            passes_on = named in PASSING_ON and not _has(action.arguments, _INPUT)
            if not passes_on and named not in CONTROL:
                self.previous = Source(action.index)
            return
        block = -1 if action.block is None else action.block
        if action.control == "open":
            self._enter(action, block)
            return
        self._leave(block)
        if action.control == "close":
            self._leave(block - 1)
            self.previous = Source(action.index)
        elif self._open:
            self.previous = self._open[-1].entry

    def _enter(self, action: Action, block: int) -> None:
        if action.identifier == REPEAT_EACH:
            number = f" {len(self._loops) + 1}" if self._loops else ""
            self.previous = Source(action.index, f"Repeat Item{number}")
        elif action.identifier != MENU and (
            action.identifier == REPEAT_COUNT or _has(action.arguments, _INPUT, CONDITIONS)
        ):
            self.previous = Source(action.index)
        opened = _Open(block, action.index, action.identifier, self.previous)
        self._open.append(opened)
        if action.identifier in (REPEAT_EACH, REPEAT_COUNT):
            self._loops.append(opened)

    def _leave(self, block: int) -> None:
        # Blocks inside `block` were opened later and have higher numbers.
        for stack in (self._open, self._loops):
            while stack and stack[-1].block > block:
                stack.pop()


def inputs_before(actions: Sequence[Action]) -> Iterator[Reference]:
    """Yield, for each action, the reference it would take as an omitted input."""
    running = Running()
    for action in actions:
        yield running.reference()
        running.follow(action)


def _has(arguments: Sequence[Argument], *names: str) -> bool:
    for argument in arguments:  # noqa: SIM110  a generator costs more than the few arguments
        if argument.name in names:
            return True
    return False
