"""The displayed names of outputs, unique per producing action.

A producer has the name its author chose, else the name its first consumer uses, else the usual
name of its API. If two producers would have the same name, the step number is added to each
name: `URL (of step 3)`. The producer's own line and every reference show the same label,
whatever stale name a consumer has.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

from benchloom.core.built_in_actions import CONDITIONAL, MENU, SYSTEM_PREFIX
from benchloom.core.records import Action, Reference
from parsers.shortcuts.running import IMPLICIT, SHORTCUT_INPUT

LONGEST_NAME = 200


class Labels:
    """Labels of one shortcut's outputs by the index of the producing action.

    `usual` maps actions to the names in API definitions, for outputs without another name.
    """

    def __init__(self, actions: Sequence[Action], usual: Mapping[int, str] | None = None) -> None:
        self.actions = {action.index: action for action in actions}
        self._by_uuid: dict[str, list[int]] = {}
        for action in actions:
            if action.uuid:
                self._by_uuid.setdefault(action.uuid, []).append(action.index)
        self._names = {**(usual or {}), **_names(actions)}
        self.shown = _unambiguous(self._names)

    def producer(self, uuid: object, index: int) -> int | None:
        """Return the action that a UUID means at action `index`: the nearest earlier one."""
        indices = self._by_uuid.get(uuid) if isinstance(uuid, str) else None
        return nearest(indices, index) if indices else None

    def output(self, producer: int | None, name: object) -> str:
        """Return the displayed text of a reference to an output."""
        if producer is None:
            label = one_line(name) if name and isinstance(name, str) else "missing"
            return f"{label} (of a missing step)"
        return self.shown.get(producer) or _unnamed(producer)

    def implicit(self, reference: Reference) -> str:
        """Return the displayed text of a reference to the previous action's output."""
        index = reference.action_index
        if index is None:
            of_shortcut = reference.output == SHORTCUT_INPUT
            return "[input of the shortcut]" if of_shortcut else "[result of a missing step]"
        if reference.output:
            return f"[variable: {reference.output}]"
        label = self._names.get(index)
        if label is None or label == _unnamed(index):
            label = _plain_name(self.actions.get(index))
        return f"[result of step {index + 1}{f': {label}' if label else ''}]"


class Names:
    """The labels to use in the line of one action."""

    __slots__ = ("_action", "_labels")

    def __init__(self, labels: Labels, action: Action) -> None:
        self._labels = labels
        self._action = action

    def producer(self, uuid: object) -> Action | None:
        """Return the action whose output a UUID in this action refers to."""
        index = self._labels.producer(uuid, self._action.index)
        return None if index is None else self._labels.actions.get(index)

    def of_uuid(self, uuid: object, name: object) -> str:
        """Return the label of the output with a UUID; `name` is the token's name for it."""
        index = self._labels.producer(uuid, self._action.index)
        return self._labels.output(index, name)

    def of_reference(self, reference: Reference) -> str:
        """Return the label of the output that a reference refers to."""
        return self._labels.output(reference.action_index, reference.output)

    def implicit(self) -> str | None:
        """Return the text of the action's implicit input, None if it takes none."""
        reference = self._action.implicit_input
        if reference is None:
            references = (r for argument in self._action.arguments for r in argument.references)
            reference = next((r for r in references if r.kind == IMPLICIT), None)
        return None if reference is None else self._labels.implicit(reference)

    def opener(self) -> Action | None:
        """Return the action that opens the block of this action."""
        actions = self._labels.actions
        for index in range(self._action.index - 1, -1, -1):
            action = actions.get(index)
            if action and action.control == "open" and action.block == self._action.block:
                return action
        return None

    def source(self) -> Action | None:
        """Return the action whose output is the implicit input."""
        reference = self._action.implicit_input
        index = None if reference is None or reference.output else reference.action_index
        return None if index is None else self._labels.actions.get(index)


def nearest(indices: list[int], index: int) -> int:
    """Return the last of the sorted `indices` before `index`, else the first of all."""
    return indices[max(bisect_left(indices, index) - 1, 0)]


def one_line(text: str) -> str:
    """Format a name for the middle of a line: shortened and without line breaks."""
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
                    names[index] = name or _unnamed(index)
    return names


def _unnamed(index: int) -> str:
    return f"output of step {index + 1}"


def _unambiguous(names: dict[int, str]) -> dict[int, str]:
    for _ in range(2):  # a name that an author gave may look like a label of ours
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
