"""Calls and tools of an example as a model sees them: names, plain arguments, schemas.

A reference is a text, `$call_<n>.<output>$` or `$call_<n>$` for a whole result, with calls counted
from 0; `#<path>` before the closing sign leads to a part of it. It may stand wherever a value may,
whatever type the schema asks for there. What no earlier call alone gives is told likewise:
`$input.<kind>$`, `$variable.<name>$`, `$missing.<name>$`. `$`, `#` and `%` in names are written
as in addresses.

Everything else fits the tool it is for. A value that only is written another way than its
definition wants ("5" for 5, 1 for true, x for [x]) is written that way. Where the example itself
does not keep to a definition, the tool of this example asks for less, and the loss says so.
"""

import re
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, unquote

import msgspec

from benchloom.examples.example import Call, Example
from benchloom.examples.tools import Naming, Tool, function_name, names_of, tool_of
from benchloom.records import ApiDefinition
from benchloom.records.values import (
    SAFE_IN_NAMES,
    Composed,
    Given,
    GivenKind,
    Plain,
    Ref,
    Value,
    is_settled,
    rendered,
)
from benchloom.rendering.definition_schema import Schema
from benchloom.rendering.fitting import fits

if TYPE_CHECKING:
    from collections.abc import Mapping

LOSSES = {
    "retyped_value": "A value is written in the type that its definition declares.",
    "misfit_value": "A value does not fit its definition; the tool of this row takes any there.",
    "undeclared_argument": "An argument is not declared; the tool of this row takes others, too.",
    "missing_argument": "A required argument is not given; the tool of this row asks for none.",
    "unknown_tool": "No definition tells about the API; its tool takes any arguments.",
    "repeated_argument": "An argument was given more than once; the last one stands.",
    "reads_as_reference": "A text of the source looks like a reference and will be read as one.",
    "supplied_value": "The value that the source has beside a reference is left out.",
}
"""Why a told call is not all that the example holds, by stable word."""
_REFERENCE = re.compile(
    r"\$(?:call_(?P<step>\d{1,9})(?:\.(?P<output>[^$#]*))?"
    r"|(?P<kind>input|variable|missing)\.(?P<name>[^$#]*))(?:#(?P<path>[^$]*))?\$",
    re.ASCII,
)
_MOST_KEPT = 5000
_kept: dict[str, tuple[ApiDefinition, str, Tool]] = {}


class ToldCall(msgspec.Struct, frozen=True):
    """A call: the name of its tool, and its arguments as JSON."""

    name: str
    arguments: dict[str, Plain]


class Told(msgspec.Struct, frozen=True):
    """The calls of an example in order, the tools by name, and pairs of word and place."""

    calls: tuple[ToldCall, ...]
    tools: tuple[Tool, ...]
    losses: tuple[tuple[str, str], ...]


def tell_reference(ref: Ref) -> str:
    """The text of a reference."""
    output = "" if ref.output is None else f".{quote(ref.output, safe=SAFE_IN_NAMES)}"
    path = f"#{quote(ref.path, safe=SAFE_IN_NAMES)}" if ref.path else ""
    return f"$call_{ref.step}{output}{path}$"


def hear(value: Plain, calls: int) -> Value:
    """The value of a told one among so many calls: what reads as a reference is one."""
    if isinstance(value, str):
        return _heard(value, calls)
    if isinstance(value, list):
        return [hear(one, calls) for one in value]
    if isinstance(value, dict):
        return {name: hear(one, calls) for name, one in value.items()}
    return value


def tell(example: Example, naming: Naming = function_name) -> Told:
    """The calls and tools of an example, with names as the target of an export wants them.

    Tools stand in the order of their names, so that nothing tells which of them are needed.
    """
    known = {one.definition_id: one for one in example.definitions}
    unknown = {
        (call.app, call.api): None for call in example.calls if call.definition_id not in known
    }
    names = names_of(
        [(one.app, one.api, one.definition_id) for one in known.values()]
        + [(app, api, f"unknown {app} {api}") for app, api in unknown],
        naming,
    )
    tools = {
        ident: _tool(definition, name)
        for (ident, definition), name in zip(known.items(), names, strict=False)
    }
    bare = {
        key: Tool(name, "", {"type": "object", "properties": {}})
        for key, name in zip(unknown, names[len(known) :], strict=True)
    }
    losses = [("unknown_tool", name) for _, name in sorted(unknown)]
    calls = []
    for index, call in enumerate(example.calls):
        tool = tools.get(call.definition_id)
        if tool is None:
            given = {one.name: rendered(one.value, tell_reference) for one in call.arguments}
            calls.append(ToldCall(bare[call.app, call.api].name, given))
        else:
            told, wider, found = _told(call, tool, f"call {index}")
            tools[call.definition_id] = wider
            calls.append(told)
            losses += found
        losses += _small_losses(call, len(example.calls), f"call {index}")
    every = sorted([*tools.values(), *bare.values()], key=lambda tool: tool.name)
    return Told(tuple(calls), tuple(every), tuple(losses))


def _told(call: Call, tool: Tool, place: str) -> tuple[ToldCall, Tool, list[tuple[str, str]]]:
    """The call, its tool as wide as the call needs it, and what is lost."""
    properties = cast("Mapping[str, Schema]", tool.parameters["properties"])
    wider: dict[str, Schema] = {}
    given: dict[str, Plain] = {}
    losses: list[tuple[str, str]] = []
    for argument in call.arguments:
        name, value = argument.name, argument.value
        plain = rendered(value, tell_reference)
        schema = properties.get(name)
        where = f"{place}.{name}"
        if schema is None:
            losses.append(("undeclared_argument", where))
        elif is_settled(value) and not fits(plain, schema):
            other = _retyped(plain, schema)
            if fits(other, schema):
                plain = other
                losses.append(("retyped_value", where))
            else:
                wider[name] = _any(schema)
                losses.append(("misfit_value", where))
        given[name] = plain
    required = cast("list[str]", tool.parameters["required"])
    missing = [name for name in required if name not in given]
    losses += [("missing_argument", f"{place}.{name}") for name in missing]
    if not (wider or missing or any(kind == "undeclared_argument" for kind, _ in losses)):
        return ToldCall(tool.name, given), tool, losses
    parameters: Schema = {
        **tool.parameters,
        "properties": {**properties, **wider},
        "required": [name for name in required if name in given],
    }
    if any(kind == "undeclared_argument" for kind, _ in losses):
        parameters.pop("additionalProperties", None)
    return ToldCall(tool.name, given), Tool(tool.name, tool.description, parameters), losses


def _small_losses(call: Call, calls: int, place: str) -> list[tuple[str, str]]:
    names = [one.name for one in call.arguments]
    losses = [("repeated_argument", place)] if len(set(names)) < len(names) else []
    for argument in call.arguments:
        if argument.supplied is not None:
            losses.append(("supplied_value", f"{place}.{argument.name}"))
        if _misread(argument.value, calls):
            losses.append(("reads_as_reference", f"{place}.{argument.name}"))
    return losses


def _misread(value: Value, calls: int) -> bool:
    """Whether a text inside a value would be read as a reference."""
    if isinstance(value, str):
        return "$" in value and not isinstance(_heard(value, calls), str)
    if isinstance(value, Composed):
        told = rendered(value, tell_reference)
        return hear(told, calls) != value
    if isinstance(value, list):
        return any(_misread(one, calls) for one in value)
    return isinstance(value, dict) and any(_misread(one, calls) for one in value.values())


def _retyped(value: Plain, schema: Schema) -> Plain:
    """The value in the type a schema wants, where nothing but the writing differs."""
    named = schema.get("type")
    wanted = set(named) if isinstance(named, list) else {named}
    if wanted == {"array"} and not isinstance(value, list):
        items = schema.get("items", {})
        one = value if fits(value, _of(items)) else _retyped(value, _of(items))
        return [one]
    if "array" in wanted and isinstance(value, list):
        items = _of(schema.get("items", {}))
        return [one if fits(one, items) else _retyped(one, items) for one in value]
    if wanted & {"number", "integer"} and isinstance(value, str):
        return _number(value)
    if "boolean" in wanted and isinstance(value, int) and value in {0, 1}:
        return bool(value)
    if "string" in wanted and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if "enum" in schema and isinstance(value, str):
        return _number(value)
    return value


def _number(text: str) -> Plain:
    try:
        found: Plain = msgspec.json.decode(text, type=int | float)
    except msgspec.DecodeError:
        return text
    return found


def _of(items: object) -> Schema:
    return cast("Schema", items)


def _any(schema: Schema) -> Schema:
    """A schema of any value that still says what the value is."""
    return {name: schema[name] for name in ("description", "title") if name in schema}


def _heard(text: str, calls: int) -> Value:
    parts: list[str | Ref | Given] = []
    at = 0
    for found in _REFERENCE.finditer(text):
        if found["step"] is not None and int(found["step"]) >= calls:
            continue
        if found.start() > at:
            parts.append(text[at : found.start()])
        parts.append(_reference(found))
        at = found.end()
    if not parts:
        return text
    if at < len(text):
        parts.append(text[at:])
    (only, *others) = parts
    return Composed(tuple(parts)) if isinstance(only, str) or others else only


def _reference(found: re.Match[str]) -> Ref | Given:
    path = unquote(found["path"] or "")
    if found["step"] is None:
        return Given(cast("GivenKind", found["kind"]), unquote(found["name"]), path)
    output = None if found["output"] is None else unquote(found["output"])
    return Ref(int(found["step"]), output, path)


def _tool(definition: ApiDefinition, name: str) -> Tool:
    """The tool of a definition; most are asked for again and again."""
    found = _kept.get(definition.definition_id)
    if found is not None and found[0] is definition and found[1] == name:
        return found[2]
    tool = tool_of(definition, name)
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[definition.definition_id] = (definition, name, tool)
    return tool
