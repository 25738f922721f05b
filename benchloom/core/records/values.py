"""Values of arguments: JSON that may contain results of earlier calls, also inside texts."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import quote

import msgspec

from benchloom.core.errors import RejectedInputError

RuntimeKind: TypeAlias = Literal["input", "variable", "missing"]


Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A count or a list index that fits a column of 32-bit integers."""


class Ref(msgspec.Struct, frozen=True, gc=False):
    """A reference to the result of an earlier call. `step` counts calls from 0.

    `output` is None for the whole result. `path` is the part of the output that is used, in the
    words of the source; it is empty for the whole output.
    """

    step: Count
    output: str | None = None
    path: str = ""


class RuntimeValue(msgspec.Struct, frozen=True, gc=False):
    """A value that exists only when the calls run, but is not the result of an earlier call.

    `kind` is input (supplied by a person, the device or the caller: Ask, Clipboard, CurrentDate,
    DeviceDetails, ExtensionInput), variable (by name, because several calls may have set it), or
    missing (a result that no earlier call returns). `path` is the part of the value that is used,
    as in `Ref`.
    """

    kind: RuntimeKind
    name: str
    path: str = ""


class Composed(msgspec.Struct, frozen=True):
    """A text with results of earlier calls inside it. No two of its `parts` in a row are texts."""

    parts: tuple[str | Ref | RuntimeValue, ...]


Value: TypeAlias = (
    "bool | int | float | str | list[Value] | dict[str, Value] "
    "| Ref | RuntimeValue | Composed | None"
)
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
MAX_DEPTH = 64
SAFE_IN_NAMES = " !\"&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""`runtime_text` percent-encodes all other special characters in names."""
_REF, _GIVEN, _TEXT, _MEMBERS = "$ref", "$given", "$text", "$members"
_ENCODER = msgspec.json.Encoder(order="deterministic")


def refs_in(value: Value) -> Iterator[Ref]:
    """Yield all references in a value, in order of appearance, with repeats."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, Composed):
        yield from (part for part in value.parts if isinstance(part, Ref))
    elif isinstance(value, list):
        for item in value:
            yield from refs_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from refs_in(item)


def is_settled(value: Value) -> bool:
    """Return whether a value contains no results of calls and no other values of run time."""
    if isinstance(value, list):
        return all(map(is_settled, value))
    if isinstance(value, dict):
        return all(map(is_settled, value.values()))
    return not isinstance(value, Ref | RuntimeValue | Composed)


def runtime_text(runtime_value: RuntimeValue) -> str:
    """Return the placeholder for a value that exists only at run time: `$input.Clipboard$`."""
    path = f"#{quote(runtime_value.path, safe=SAFE_IN_NAMES)}" if runtime_value.path else ""
    return f"${runtime_value.kind}.{quote(runtime_value.name, safe=SAFE_IN_NAMES)}{path}$"


def rendered(value: Value, reference_text: Callable[[Ref], str]) -> Plain:
    """Return a value as plain JSON, in which texts from `reference_text` stand for references."""
    if isinstance(value, Ref):
        return reference_text(value)
    if isinstance(value, RuntimeValue):
        return runtime_text(value)
    if isinstance(value, Composed):
        return "".join(
            part if isinstance(part, str) else str(rendered(part, reference_text))
            for part in value.parts
        )
    if isinstance(value, list):
        return [rendered(item, reference_text) for item in value]
    if isinstance(value, dict):
        return {name: rendered(item, reference_text) for name, item in value.items()}
    return value


def depth_of(value: "Value | Plain") -> int:
    """Return how deeply lists and objects are nested in a value, or 0 for any other value.

    Counting stops one level below `MAX_DEPTH`.
    """
    deepest = 0
    level: list[tuple[Value | Plain, int]] = [(value, 0)]
    while level:
        node, depth = level.pop()
        deepest = max(deepest, depth)
        if depth > MAX_DEPTH:
            break
        if isinstance(node, list):
            level += [(item, depth + 1) for item in node]
        elif isinstance(node, dict):
            level += [(item, depth + 1) for item in node.values()]
    return deepest


def refuse_deep(value: "Value | Plain") -> None:
    """Raise RejectedInputError if lists and objects are nested deeper than `MAX_DEPTH`."""
    if depth_of(value) > MAX_DEPTH:
        raise RejectedInputError("too_deep", f"nesting exceeds {MAX_DEPTH} levels")


def to_json(value: Value) -> str:
    """Encode a value, with all references, as a JSON text that `from_json` reads."""
    return _ENCODER.encode(to_plain(value)).decode()


def value_of(text: str, *, is_json: bool) -> Value:
    """Return the value of a plan's argument. With `is_json`, the text is decoded by `from_json`."""
    return from_json(text) if is_json else text


def from_json(text: str) -> Value:
    """Decode a JSON text that `to_json` wrote. Raises msgspec.DecodeError if it is invalid."""
    return from_plain(msgspec.json.decode(text))


def to_plain(value: Value) -> Plain:
    """Convert a value with references to plain JSON, which `from_plain` converts back."""
    if isinstance(value, Ref):
        reference: dict[str, Plain] = {"step": value.step}
        if value.output is not None:
            reference["output"] = value.output
        if value.path:
            reference["path"] = value.path
        return {_REF: reference}
    if isinstance(value, RuntimeValue):
        return {_GIVEN: {"kind": value.kind, "name": value.name, "path": value.path}}
    if isinstance(value, Composed):
        return {_TEXT: [to_plain(part) for part in value.parts]}
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        if any(name.startswith("$") for name in value):
            return {_MEMBERS: [[name, to_plain(item)] for name, item in value.items()]}
        return {name: to_plain(item) for name, item in value.items()}
    return value


def from_plain(plain: Plain) -> Value:
    """Convert plain JSON that `to_plain` wrote to a value with references.

    Raises msgspec.ValidationError if the JSON is invalid.
    """
    if isinstance(plain, list):
        return [from_plain(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    if _REF in plain:
        return msgspec.convert(plain[_REF], Ref)
    if _GIVEN in plain:
        return msgspec.convert(plain[_GIVEN], RuntimeValue)
    if _TEXT in plain:
        return Composed(tuple(_part(part) for part in msgspec.convert(plain[_TEXT], list)))
    if _MEMBERS in plain:
        members: list[tuple[str, Plain]] = msgspec.convert(plain[_MEMBERS], list[tuple[str, Any]])
        return {name: from_plain(item) for name, item in members}
    return {name: from_plain(item) for name, item in plain.items()}


def _part(plain: Plain) -> str | Ref | RuntimeValue:
    if isinstance(plain, str):
        return plain
    if isinstance(plain, dict) and _GIVEN in plain:
        return msgspec.convert(plain[_GIVEN], RuntimeValue)
    return msgspec.convert(plain, _RefInText).ref


class _RefInText(msgspec.Struct, frozen=True):
    ref: Ref = msgspec.field(name=_REF)
