"""Arguments with values for references, for whoever knows no references."""

from collections.abc import Sequence

import msgspec

from benchloom.examples.example import Argument, Call
from benchloom.records.values import Composed, Given, Ref, Value, is_settled, refs_in


def expanded(argument: Argument, calls: Sequence[Call]) -> tuple["Value | msgspec.UnsetType", int]:
    """The value with what its references carried, unset where that is not known; and their number.

    What the source itself supplied beside a reference goes before the recorded result of the call.
    """
    if is_settled(argument.value):
        return argument.value, 0
    references = sum(1 for _ in refs_in(argument.value))
    if argument.supplied is not None:
        return argument.supplied, references
    found = _expanded(argument.value, calls)
    return found, references


def _expanded(value: Value, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    if isinstance(value, Ref):
        return _carried(value, calls)
    if isinstance(value, Given):
        return msgspec.UNSET
    if isinstance(value, Composed):
        parts = [part if isinstance(part, str) else _expanded(part, calls) for part in value.parts]
        if not all(isinstance(part, str | int | float) for part in parts):
            return msgspec.UNSET
        return "".join(str(part) for part in parts)
    if isinstance(value, list):
        items = [_expanded(item, calls) for item in value]
        return msgspec.UNSET if msgspec.UNSET in items else items  # type: ignore[return-value]
    if isinstance(value, dict):
        fields = {name: _expanded(item, calls) for name, item in value.items()}
        return msgspec.UNSET if msgspec.UNSET in fields.values() else fields  # type: ignore[return-value]
    return value


def _carried(ref: Ref, calls: Sequence[Call]) -> "Value | msgspec.UnsetType":
    """The recorded output that a reference takes, where no path leads to a part of it."""
    result = calls[ref.step].result if 0 <= ref.step < len(calls) else None
    if result is None or ref.path or next(refs_in(result.output), None) is not None:
        return msgspec.UNSET
    if ref.output is None:
        return result.output
    if isinstance(result.output, dict) and ref.output in result.output:
        return result.output[ref.output]
    return msgspec.UNSET
