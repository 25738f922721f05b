"""Convert the date offsets of early shortcut files to the arguments that the app reads today.

These are arguments of the action Adjust Date: a duration and an operation.
"""

from collections.abc import Mapping

import msgspec

from benchloom.core.records import Argument

PICKER = "WFAdjustOffsetPicker"
_ENCODER = msgspec.json.Encoder(order="sorted")


def with_duration(arguments: Mapping[str, Argument], name: str = PICKER) -> dict[str, Argument]:
    """Return the arguments of an Adjust Date action with its early offset in today's form.

    `name` is the argument that contains the offset. If the arguments already contain a duration or
    an operation, these remain, as in the app.
    """
    rest = {key: argument for key, argument in arguments.items() if key != name}
    offset = msgspec.json.decode(arguments[name].value)
    if isinstance(offset, dict) and "Value" in offset and "WFSerializationType" in offset:
        offset = offset["Value"]
    if not isinstance(offset, dict):
        return dict(arguments)
    operation, unit = offset.get("Operation"), offset.get("Unit")
    if isinstance(operation, str):
        rest.setdefault("WFAdjustOperation", literal("WFAdjustOperation", operation))
    if operation in {"Add", "Subtract", None} and isinstance(unit, str) and "Value" in offset:
        quantity = {"Magnitude": offset["Value"], "Unit": f"{unit.lower().removesuffix('s')}s"}
        wrapped = {"Value": quantity, "WFSerializationType": "WFQuantityFieldValue"}
        text = _ENCODER.encode(wrapped).decode()
        rest.setdefault("WFDuration", Argument("WFDuration", "structure", text))
    return rest


def literal(name: str, text: str) -> Argument:
    """Return an argument whose value is a literal text."""
    return Argument(name, "literal", msgspec.json.encode(text).decode())
