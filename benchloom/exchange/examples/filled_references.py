"""Arguments with values for references, for whoever knows no references."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records.values import (
    Composed,
    Given,
    Ref,
    Value,
    is_settled,
    refs_in,
)
from benchloom.exchange.examples.example import Argument, Call


def expanded(argument: Argument, calls: Sequence[Call]) -> tuple["Value | msgspec.UnsetType", int]:
    """The value with what its references carried, unset where that is not known; and their number.

    What the source itself supplied beside a reference goes before the recorded result of the call.
    """
    if is_settled(argument.value):
        return argument.value, 0
    references = sum(1 for _ in refs_in(argument.value))
    if argument.supplied is not None:
        return argument.supplied, references
    expanded_value = _expanded(argument.value, calls)
    return expanded_value, references


def _expanded(value: Value, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    if isinstance(value, Ref):
        return carried(value, calls)
    if isinstance(value, Given):
        return msgspec.UNSET
    if isinstance(value, Composed):
        parts = [part if isinstance(part, str) else _expanded(part, calls) for part in value.parts]
        if not all(isinstance(part, str | int | float) for part in parts):
            return msgspec.UNSET
        return "".join(str(part) for part in parts)
    if isinstance(value, list):
        items: list[Value] = []
        for item in value:
            expanded_value = _expanded(item, calls)
            if isinstance(expanded_value, msgspec.UnsetType):
                return expanded_value
            items.append(expanded_value)
        return items
    if isinstance(value, dict):
        fields: dict[str, Value] = {}
        for name, item in value.items():
            expanded_value = _expanded(item, calls)
            if isinstance(expanded_value, msgspec.UnsetType):
                return expanded_value
            fields[name] = expanded_value
        return fields
    return value


def carried(ref: Ref, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    """The recorded output that a reference takes, where no path leads to a part of it.

    Unset where none is recorded, where the call failed, and where it has results in it itself.
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
