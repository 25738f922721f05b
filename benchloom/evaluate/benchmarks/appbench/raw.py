"""Calls as a prediction spells them, before names are mapped and labels become references."""

from collections.abc import Iterable

import msgspec

from benchloom.evaluate.benchmarks.appbench.names import Names
from benchloom.exchange.examples import Argument, Call, Ref, RuntimeValue

CONTRADICTION = RuntimeValue("missing", "contradiction")
"""The value of an argument for which the two parts of a record contain different values."""
NO_PRODUCER = RuntimeValue("missing", "reference")
"""The value of an argument that refers to a call that does not exist or comes later."""


class RawArgument(msgspec.Struct, frozen=True):
    """An argument as the prediction spells it."""

    name: str
    value: str | None  # the value in the record's data, if it has data
    is_bare: bool = False  # whether the value has no quotation marks, like a reference
    label: str = ""  # the text of a reference, if the record's data contain its value
    is_contradicted: bool = False  # whether data and text of the record disagree


class RawCall(msgspec.Struct, frozen=True):
    """A call as the prediction spells it; `labels` are the names that it gives to its outputs."""

    app: str
    api: str
    arguments: tuple[RawArgument, ...]
    labels: tuple[str, ...] = ()


def resolve_calls(raws: Iterable[RawCall], names: Names) -> tuple[Call, ...]:
    """Convert calls from the spelling of a prediction to canonical names and references.

    An argument refers to an earlier call if its value is a word without quotation marks that is a
    label of one of the call's outputs. A label means the output with this name, or else the output
    at its position, if there are as many labels as outputs. A single label of a call with several
    outputs means the whole result.
    """
    label_references: dict[str, Ref] = {}
    calls: list[Call] = []
    for step, raw in enumerate(raws):
        arguments = tuple(_argument(argument, label_references) for argument in raw.arguments)
        app, api = names.call(raw.app, raw.api)
        returns = names.returns(app, api)
        outputs = raw.labels if returns is None else returns
        calls.append(Call(app, api, arguments, returns=outputs))
        for index, label in enumerate(raw.labels):
            label_references[label] = Ref(step, _output(label, index, len(raw.labels), outputs))
    return tuple(calls)


def _output(label: str, index: int, count: int, outputs: tuple[str, ...]) -> str | None:
    if label in outputs:
        return label
    if count == len(outputs):
        return outputs[index]
    return None if count == 1 else label


def _argument(raw: RawArgument, label_references: dict[str, Ref]) -> Argument:
    if raw.is_contradicted:
        return Argument(raw.name, CONTRADICTION, raw.value)
    label = raw.label or (raw.value if raw.is_bare and raw.value else "")
    ref = label_references.get(label)
    before, dot, behind = label.partition(".")
    if ref is None and dot and before in label_references:
        ref = label_references[before]
        output, path = ref.output, behind
        if output is None:
            output, _, path = behind.partition(".")
        ref = Ref(ref.step, output, path)
    return Argument(raw.name, raw.value) if ref is None else Argument(raw.name, ref, raw.value)
