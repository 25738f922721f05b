"""Replace references to results by recorded values, for formats that have no references."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records.values import (
    Composed,
    Plain,
    Ref,
    RuntimeValue,
    Value,
    is_settled,
    refs_in,
    rendered,
)
from benchloom.exchange.examples.example import Argument, Call


def fill_references(
    argument: Argument, calls: Sequence[Call]
) -> tuple["Value | msgspec.UnsetType", int]:
    """Return an argument's value without references, and the number of replaced references.

    A reference is replaced by the value that the source supplies for it, or else by the recorded
    result of the call. The returned value is UNSET if the value of a reference is unknown.
    """
    if is_settled(argument.value):
        return argument.value, 0
    references = sum(1 for _ in refs_in(argument.value))
    if argument.supplied is not None:
        return argument.supplied, references
    expanded_value = _expand(argument.value, calls)
    return expanded_value, references


def _expand(value: Value, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    if isinstance(value, Ref):
        return recorded_output(value, calls)
    if isinstance(value, RuntimeValue):
        return msgspec.UNSET
    if isinstance(value, Composed):
        parts = [part if isinstance(part, str) else _expand(part, calls) for part in value.parts]
        if not all(isinstance(part, str | int | float) for part in parts):
            return msgspec.UNSET
        return "".join(str(part) for part in parts)
    if isinstance(value, list):
        items: list[Value] = []
        for item in value:
            expanded_value = _expand(item, calls)
            if isinstance(expanded_value, msgspec.UnsetType):
                return expanded_value
            items.append(expanded_value)
        return items
    if isinstance(value, dict):
        fields: dict[str, Value] = {}
        for name, item in value.items():
            expanded_value = _expand(item, calls)
            if isinstance(expanded_value, msgspec.UnsetType):
                return expanded_value
            fields[name] = expanded_value
        return fields
    return value


def recorded_output(ref: Ref, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    """Return the recorded output that a reference selects, or UNSET if it is unknown.

    It is unknown if no output is recorded, if the call failed, if the reference selects a part of
    the output by a path, or if the output itself contains references.
    """
    result = calls[ref.step].result if 0 <= ref.step < len(calls) else None
    if result is None or result.exception is not None or ref.path:
        return msgspec.UNSET
    output = result.output
    if ref.output is not None:
        if not isinstance(output, dict) or ref.output not in output:
            return msgspec.UNSET
        output = output[ref.output]
    return output if is_settled(output) else msgspec.UNSET


def plain_arguments(call: Call, calls: Sequence[Call]) -> dict[str, Plain]:
    """Return a mapping from argument to value in which recorded values replace references.

    If a name is repeated, the last value counts. A reference without a recorded value is replaced
    by the name of its output.
    """
    return {argument.name: _plain_value(argument, calls) for argument in call.arguments}


def lacks_value(argument: Argument, calls: Sequence[Call]) -> bool:
    """Whether an argument contains a reference whose value is not recorded."""
    return argument.supplied is None and any(
        recorded_output(ref, calls) is msgspec.UNSET for ref in refs_in(argument.value)
    )


def _plain_value(argument: Argument, calls: Sequence[Call]) -> Plain:
    if argument.supplied is not None:
        return argument.supplied
    if isinstance(argument.value, Ref):
        return _plain_output(argument.value, calls)
    return rendered(argument.value, lambda ref: str(_plain_output(ref, calls)))


def _plain_output(ref: Ref, calls: Sequence[Call]) -> Plain:
    value = recorded_output(ref, calls)
    return ref.output or "" if isinstance(value, msgspec.UnsetType) else rendered(value, str)
