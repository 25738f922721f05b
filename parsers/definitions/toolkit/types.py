"""Read the types that ToolKit databases store as encoded messages (Protocol Buffers).

A TypeInstance declares a type, a TypeIdentifier names a type, and a context restricts a type. Field
numbers were derived from real rows. A field with an unknown number is kept as opaque bytes and
counted (`Opaque`), never skipped silently.
"""

from collections.abc import Callable
from functools import partial

import msgspec

from parsers.definitions.toolkit.values import Default, read_value
from parsers.definitions.toolkit.wire import Field, Opaque, read_fields
from parsers.errors import ParseError

PRIMITIVES = {
    1: ("None", "primitive"),
    2: ("Boolean", "primitive"),
    3: ("Integer", "primitive"),
    4: ("Number", "primitive"),
    5: ("Decimal", "primitive"),
    6: ("String", "primitive"),
    7: ("Date", "primitive"),
    8: ("DateComponents", "primitive"),
    9: ("URL", "primitive"),
    10: ("Dictionary", "object"),
    11: ("AttributedString", "primitive"),
    12: ("Measurement", "measurement"),
    13: ("CurrencyAmount", "object"),
    14: ("PaymentMethod", "object"),
    15: ("Placemark", "object"),
    16: ("Person", "object"),
    17: ("File", "file"),
    18: ("App", "object"),
    19: ("SearchableItem", "object"),
    20: ("IntentsFile", "file"),
    21: ("Shortcut", "object"),
    22: ("RecurrenceRule", "object"),
    23: ("DateInterval", "object"),
    24: ("PersonName", "object"),
    25: ("Duration", "measurement"),
    26: ("Character", "primitive"),
}
_BUILTINS = {1: "App", 4: "Color", 7: "HomeArea", 8: "MediaRoute", 13: "RideshareOption"}
_QUERY = 16
_CONTEXTS = frozenset(range(1, 9))
_REPRESENTABLE, _RANGE = 2, 7
_ENDLESS = 1e300
"""Numbers of this size or more are no bounds. A range without a bound stores the largest
floating-point number."""
_MAX_NESTING = 24


class ToolType(msgspec.Struct, frozen=True):
    """The type that a TypeInstance blob declares, without its wrappers.

    `type_id` is the key of a custom type in the table Types. `wrapped` says whether the type
    was wrapped in an optional.
    """

    type: str
    kind: str
    type_id: str | None = None
    multiple: bool = False
    wrapped: bool = False
    default: Default | None = None
    minimum: float | None = None
    maximum: float | None = None
    file_types: tuple[str, ...] = ()


ANY = ToolType("Any", "object")


def read_instance(data: bytes, path: str, opaque: Opaque, nesting: int = 0) -> ToolType:
    """Return the type of a TypeInstance blob; raise ParseError if it nests too deeply."""
    if nesting > _MAX_NESTING:
        raise ParseError("bad_blob", "type instances nest too deeply")
    tool_type = ANY
    for field in opaque.messages(data, path, _INSTANCES.keys()):
        tool_type = _INSTANCES[field.number](field.payload, path, opaque, nesting + 1)
    return tool_type


def _plain(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    del nesting
    return read_identifier(data, f"{path}.type", opaque)


def _collection(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    member = read_instance(data, f"{path}.collection", opaque, nesting)
    if member.multiple:
        name = f"Array<{member.type}>"
        return msgspec.structs.replace(member, type=name, kind="array", multiple=True)
    return msgspec.structs.replace(member, multiple=True, wrapped=False, default=None)


def _optional(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    inner, default = ANY, None
    for field in opaque.messages(data, f"{path}.optional", {1, 2}):
        if field.number == 1:
            inner = read_instance(field.payload, f"{path}.optional", opaque, nesting)
        else:
            default = read_value(field.payload, f"{path}.default", opaque)
    return msgspec.structs.replace(inner, wrapped=True, default=default or inner.default)


def _union(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    path = f"{path}.union"
    members = [
        read_instance(field.payload, path, opaque, nesting)
        for field in opaque.messages(data, path, {1})
    ]
    if len(members) == 1:
        return members[0]
    names = " | ".join(dict.fromkeys(member.type for member in members)) or "Any"
    kinds = {member.kind for member in members}
    kind = kinds.pop() if len(kinds) == 1 and "enum" not in kinds else "object"
    is_list = bool(members) and all(member.multiple for member in members)
    file_types = dict.fromkeys(name for member in members for name in member.file_types)
    return ToolType(names, kind, multiple=is_list, file_types=tuple(file_types))


def _read_restricted(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    del nesting
    return _read_narrowed(data, f"{path}.restricted", opaque, read_identifier)


def _read_constrained(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    return _read_narrowed(
        data, f"{path}.constrained", opaque, partial(read_instance, nesting=nesting)
    )


def _read_narrowed(
    data: bytes, path: str, opaque: Opaque, read_type: Callable[[bytes, str, Opaque], ToolType]
) -> ToolType:
    tool_type = ANY
    contexts: list[Field] = []
    for field in opaque.messages(data, path, {1, 2}):
        if field.number == 1:
            tool_type = read_type(field.payload, path, opaque)
        else:
            contexts.extend(read_fields(field.payload))
    for context in contexts:
        tool_type = _with_context(tool_type, context, f"{path}.context", opaque)
    return tool_type


def _with_context(tool_type: ToolType, context: Field, path: str, opaque: Opaque) -> ToolType:
    if context.number not in _CONTEXTS:
        opaque.add(path, context)
    elif context.number == _RANGE and context.is_message:
        bounds: dict[int, float] = {}
        for field in read_fields(context.payload):
            if field.number not in (1, 2):
                opaque.add(f"{path}.range", field)
            elif abs(field.double) < _ENDLESS:
                bounds[field.number] = field.double
        return msgspec.structs.replace(tool_type, minimum=bounds.get(1), maximum=bounds.get(2))
    elif context.number == _REPRESENTABLE and context.is_message:
        fields = opaque.messages(context.payload, f"{path}.representable", {1})
        file_types = (*tool_type.file_types, *(field.text for field in fields))
        return msgspec.structs.replace(tool_type, file_types=file_types)
    return tool_type


def _read_deferred(data: bytes, path: str, opaque: Opaque, nesting: int) -> ToolType:
    tool_type = ANY
    for field in opaque.messages(data, f"{path}.deferred", {1}):
        tool_type = read_instance(field.payload, f"{path}.deferred", opaque, nesting)
    return tool_type


_INSTANCES = {
    1: _plain,
    2: _collection,
    3: _optional,
    4: _union,
    5: _read_restricted,
    6: _read_deferred,
    7: _read_constrained,
}


def read_identifier(data: bytes, path: str, opaque: Opaque) -> ToolType:
    """Return the type that a TypeIdentifier blob names: a primitive, custom or builtin type."""
    tool_type = ANY
    for field in opaque.messages(data, path, {1, 2, 3}):
        if field.number == 1:
            for primitive in read_fields(field.payload):
                if primitive.number in PRIMITIVES:
                    tool_type = ToolType(*PRIMITIVES[primitive.number])
                else:
                    opaque.add(f"{path}.primitive", primitive)
                    tool_type = ToolType(f"primitive.{primitive.number}", "object")
        elif field.number == 2:
            tool_type = _custom(field.payload, f"{path}.custom", opaque)
        else:
            tool_type = _builtin(field.payload, f"{path}.builtin", opaque)
    return tool_type


def _builtin(data: bytes, path: str, opaque: Opaque) -> ToolType:
    tool_type = ANY
    for field in read_fields(data):
        if field.number in _BUILTINS and not field.is_message:
            tool_type = ToolType(_BUILTINS[field.number], "object")
        elif field.number == _QUERY and field.is_message:
            searched = read_identifier(field.payload, path, opaque).type
            tool_type = ToolType(f"Query<{searched}>", "object")
        else:
            opaque.add(path, field)
            tool_type = ToolType(f"builtin.{field.number}", "object")
    return tool_type


def _custom(data: bytes, path: str, opaque: Opaque) -> ToolType:
    bundle = name = ""
    for field in opaque.messages(data, path, {1, 2}):
        if field.number == 1:
            bundle = field.text
        else:
            name = field.text
    return ToolType(name or "Any", "entity", type_id=f"{bundle}.{name}")
