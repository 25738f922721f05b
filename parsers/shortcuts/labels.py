"""Choose a displayed name for the output of each action, unique within the shortcut.

An action with an output (a producer) has the name its author chose, else the name that the first
action with a reference to it (a consumer) uses, else the usual name of its API. If two producers
would have the same name, the step number is added to each name: `URL (of step 3)`. The producer's
own line and every reference show the same label, whatever stale name a consumer has.

An action that takes input but names no source takes the output of the action before, which is
the action above it, with these exceptions: actions that only pass their input on are skipped; a
branch begins with the input of its block; the body of Repeat with Each begins with the item;
the first action of the shortcut takes the shortcut's input.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    CONDITIONS,
    CONTROL,
    MENU,
    PASSING_ON,
    REPEAT_COUNT,
    REPEAT_EACH,
    SYSTEM_PREFIX,
    VARIABLE_SETTERS,
)
from benchloom.core.records import Action, Argument, Reference

IMPLICIT = "implicit"
"""The kind of a reference to the previous action's output."""
SHORTCUT_INPUT = "ExtensionInput"
"""The `output` of an implicit reference to the input of the shortcut."""
_INPUT = "WFInput"
_TAKING_INPUT = frozenset({CONDITIONAL, REPEAT_EACH})
_LOOP_VARIABLE = re.compile(r"Repeat (Item|Index)(?: ([2-9]|[1-9][0-9]{1,3}))?")


class Source(msgspec.Struct, frozen=True, gc=False):
    """The source of a value: the index of an action, and the output's name if it has one."""

    action_index: int | None
    output: str | None = None


class _Open(msgspec.Struct, frozen=True, gc=False):
    block: int
    index: int
    identifier: str
    entry: Source


class Running:
    """Finds the implicit input of each action in order, in constant time per action."""

    def __init__(self) -> None:
        self.previous = Source(None, SHORTCUT_INPUT)
        self._open: list[_Open] = []
        self._loops: list[_Open] = []

    def loop(self, name: str) -> tuple[bool, int | None]:
        """Return whether a name is that of a loop variable, and the action that opens its loop.

        The number in the name is the depth of the loop, counted from the outermost loop inwards.
        The action is None if there is no loop at this depth, or if the variable is an item and the
        loop is not Repeat with Each.
        """
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
        """Return the implicit input of the next action if its kind alone proves that it takes one.

        Such actions set a variable or open a block of If or Repeat with Each. The result is None
        for other actions, and for actions whose input is explicit.
        """
        if identifier not in VARIABLE_SETTERS and not (
            control == "open" and identifier in _TAKING_INPUT
        ):
            return None
        return None if _has(arguments, _INPUT, CONDITIONS) else self.reference(_INPUT)

    def reference(self, location: str = "") -> Reference:
        """Return a reference to the output that the next action takes as implicit input."""
        return Reference(IMPLICIT, self.previous.action_index, self.previous.output, "", location)

    def follow(self, action: Action) -> None:
        """Set the implicit input for the action that follows `action`."""
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
            self._leave(block - 1)  # also the closed block itself
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
    """Yield the reference that each action takes if its input is omitted."""
    running = Running()
    for action in actions:
        yield running.reference()
        running.follow(action)


def _has(arguments: Sequence[Argument], *names: str) -> bool:
    for argument in arguments:  # noqa: SIM110  a generator costs more than the few arguments
        if argument.name in names:
            return True
    return False


LONGEST_NAME = 200


class Labels:
    """The labels of the outputs of one shortcut's actions.

    `texts` maps the index of an action to the label of its output. `usual` maps actions to the
    names in API definitions, for outputs without another name.
    """

    def __init__(self, actions: Sequence[Action], usual: Mapping[int, str] | None = None) -> None:
        self.actions = {action.index: action for action in actions}
        self._by_uuid: dict[str, list[int]] = {}
        for action in actions:
            if action.uuid:
                self._by_uuid.setdefault(action.uuid, []).append(action.index)
        self._names = {**(usual or {}), **_names(actions)}
        self.texts = _unambiguous(self._names)

    def producer(self, uuid: object, index: int) -> int | None:
        """Return the index of the action whose output a UUID in action `index` means, or None.

        If several actions have the UUID, it is the nearest earlier one or, if all are later, the
        first.
        """
        indices = self._by_uuid.get(uuid) if isinstance(uuid, str) else None
        return nearest(indices, index) if indices else None

    def output(self, producer: int | None, name: object) -> str:
        """Return the displayed text of a reference to an output."""
        if producer is None:
            label = one_line(name) if name and isinstance(name, str) else "missing"
            return f"{label} (of a missing step)"
        return self.texts.get(producer) or _default_label(producer)

    def implicit(self, reference: Reference) -> str:
        """Return the displayed text of a reference to the previous action's output."""
        index = reference.action_index
        if index is None:
            of_shortcut = reference.output == SHORTCUT_INPUT
            return "[input of the shortcut]" if of_shortcut else "[result of a missing step]"
        if reference.output:
            return f"[variable: {reference.output}]"
        label = self._names.get(index)
        if label is None or label == _default_label(index):
            label = _plain_name(self.actions.get(index))
        return f"[result of step {index + 1}{f': {label}' if label else ''}]"


class Names:
    """The labels that the text of one action may contain."""

    __slots__ = ("_action", "_labels")

    def __init__(self, labels: Labels, action: Action) -> None:
        self._labels = labels
        self._action = action

    def producer(self, uuid: object) -> Action | None:
        """Return the action whose output a UUID in this action means, or None if it is missing."""
        index = self._labels.producer(uuid, self._action.index)
        return None if index is None else self._labels.actions.get(index)

    def of_uuid(self, uuid: object, name: object) -> str:
        """Return the label of the output with a UUID; `name` is used if no action has the UUID."""
        index = self._labels.producer(uuid, self._action.index)
        return self._labels.output(index, name)

    def implicit(self) -> str | None:
        """Return the text of the action's implicit input, or None if it takes none."""
        reference = self._action.implicit_input
        if reference is None:
            references = (r for argument in self._action.arguments for r in argument.references)
            reference = next((r for r in references if r.kind == IMPLICIT), None)
        return None if reference is None else self._labels.implicit(reference)

    def opener(self) -> Action | None:
        """Return the action that opens the block to which this action belongs, or None."""
        actions = self._labels.actions
        for index in range(self._action.index - 1, -1, -1):
            action = actions.get(index)
            if action and action.control == "open" and action.block == self._action.block:
                return action
        return None

    def source(self) -> Action | None:
        """Return the action whose output is the implicit input, or None if there is none."""
        reference = self._action.implicit_input
        index = None if reference is None or reference.output else reference.action_index
        return None if index is None else self._labels.actions.get(index)


def nearest(indices: list[int], index: int) -> int:
    """Return the last of the sorted `indices` before `index`, or else the first of all indices."""
    return indices[max(bisect_left(indices, index) - 1, 0)]


def one_line(text: str) -> str:
    """Return a name in a form for the middle of a line, shortened and without line breaks."""
    if len(text) > LONGEST_NAME:
        text = f"{text[:LONGEST_NAME]}..."
    return text if text.isprintable() else " ".join(text.split())


def _names(actions: Sequence[Action]) -> dict[int, str]:
    names = {action.index: one_line(action.output_name) for action in actions if action.output_name}
    for action in actions:
        for argument in action.arguments:
            for reference in argument.references:
                index = reference.action_index
                if reference.kind == "output" and index is not None and index not in names:
                    name = one_line(reference.output or "")
                    names[index] = name or _default_label(index)
    return names


def _default_label(index: int) -> str:
    return f"output of step {index + 1}"


def _unambiguous(names: dict[int, str]) -> dict[int, str]:
    for _ in range(2):  # an author's name may look like one of our labels
        if len(set(names.values())) == len(names):
            break
        often = Counter(names.values())
        names = {
            index: name if often[name] == 1 else f"{name} (of step {index + 1})"
            for index, name in names.items()
        }
    return names


def _plain_name(action: Action | None) -> str:
    if action is None:
        return ""
    name = one_line(action.identifier.removeprefix(SYSTEM_PREFIX))
    words = {CONDITIONAL: "If", MENU: "Menu"}.get(action.identifier, "Repeat")
    if action.control is None:
        return name
    return f"End {words}" if action.control == "close" else words
