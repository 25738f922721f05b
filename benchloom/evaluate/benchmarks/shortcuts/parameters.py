"""Read the parameters of an action in a shortcut file or an output, as values with references.

Gold and predictions are read in the same way. A result is a `Ref` if its id belongs to an earlier
action, and a missing value otherwise. Variables and needs for input (values that the user or the
device provides) are identified by name. In the path to a part of a result, only keys and properties
count; casts and formats are ignored.
"""

from collections.abc import Mapping
from typing import cast

import msgspec

from benchloom.core.built_in_actions import (
    CONTROL,
    LEGACY_INPUT,
    OUTPUT_NAME,
    OUTPUT_UUID,
    SERIALIZATION,
    input_kind,
    part_of_output,
)
from benchloom.core.records.values import Composed, Plain, Ref, RuntimeValue, Value
from benchloom.evaluate.benchmarks.shortcuts.labels import Labels
from benchloom.exchange.examples import Argument
from benchloom.exchange.examples.shortcuts.values import DamagedValueError, Token, ValueWalk

GROUP, MODE = "GroupingIdentifier", "WFControlFlowMode"
UUID, CUSTOM_NAME = "UUID", "CustomOutputName"
UNSCORED = frozenset(
    {UUID, CUSTOM_NAME, "ShowWhenRun", "OpenWhenRun", "AppIntentDescriptor", SERIALIZATION}
)
"""The parameters that only affect how an action is stored or displayed, and are not predicted."""
_PARTS = (
    "WFDictionaryValueVariableAggrandizement",
    "WFPropertyVariableAggrandizement",
    "WFContentItemPropertyName",
)


def arguments_of(
    identifier: str, parameters: Mapping[str, Plain], labels: Labels, before: int
) -> tuple[Argument, ...]:
    """Convert those parameters of an action that are scored; `before` is the action's index."""
    left_out = UNSCORED if identifier in CONTROL else UNSCORED | {GROUP, MODE}
    walk = _Walk(labels, before)
    arguments = []
    for name, plain in parameters.items():
        if name not in left_out:
            try:
                value = walk.value(plain)
            except DamagedValueError:
                value = msgspec.json.encode(plain, order="sorted").decode()
            arguments.append(Argument(name, value))
    return tuple(arguments)


class _Walk(ValueWalk):
    def __init__(self, labels: Labels, before: int) -> None:
        self._labels = labels
        self._before = before

    def value(self, plain: Plain, path: str = "", depth: int = 0) -> Value:
        # A text that consists of one token stays a text: the published rules do not score it.
        if isinstance(plain, dict) and SERIALIZATION in plain:
            plain = {name: member for name, member in plain.items() if name != SERIALIZATION}
        value = super().value(plain, path, depth)
        if isinstance(plain, dict) and "string" in plain and isinstance(value, Ref | RuntimeValue):
            return Composed((value,))
        return value

    def token(self, plain: Mapping[str, Plain], location: str) -> Token | None:
        kind, uuid = plain.get("Type"), plain.get(OUTPUT_UUID)
        if kind == "ActionOutput" or (kind is None and isinstance(uuid, str)):
            name = plain.get(OUTPUT_NAME)
            plain_name = name if isinstance(name, str) else ""
            step = self._labels.step(uuid, self._before) if isinstance(uuid, str) else None
            if step is None:
                return RuntimeValue("missing", plain_name, _part(plain))
            return Ref(step, plain_name or None, _part(plain))
        if kind == "Variable" and isinstance(variable := plain.get("VariableName"), str):
            return RuntimeValue("variable", variable, _part(plain))
        if kind == LEGACY_INPUT:
            return RuntimeValue("variable", LEGACY_INPUT, _part(plain))
        needed = input_kind(kind)
        return None if needed is None else RuntimeValue("input", needed, _part(plain))

    def inner(self, plain: Mapping[str, Plain]) -> str | None:
        """Return the key under which a wrapper object contains its value, or None.

        In prompts and outputs, a wrapper has no type and only the key `Value`.
        """
        return "Value" if plain.keys() == {"Value"} else super().inner(plain)


def _part(plain: Mapping[str, Plain]) -> str:
    steps = plain.get("Aggrandizements")
    if not isinstance(steps, list):
        return ""
    part_steps = [step for step in steps if isinstance(step, dict) and step.get("Type") in _PARTS]
    return part_of_output(cast("dict[str, object]", {"Aggrandizements": part_steps}))
