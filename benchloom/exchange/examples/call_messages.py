"""Render the calls and tools of an example as a model sees them, with JSON arguments and schemas.

A reference is a text: `$call_<n>.<output>$`, or `$call_<n>$` for a whole result, with calls counted
from 0. `#<path>` before the closing sign selects a part of the result. A reference may replace any
value, whatever type the schema requires. Other values that are known only at run time are written
as `$input.<kind>$`, `$variable.<name>$` or `$missing.<name>$`. `$`, `#` and `%` in names are
percent-encoded, as in URLs.

Values without such texts fit the schema of their tool. A value that differs from the declared type
only in notation ("5" for 5, 1 for true, x for [x]) is rewritten. If a call violates its definition
in another way, the schema of the example's tool is widened to allow the call. A loss reports either
change.
"""

import re
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, unquote

import msgspec

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import (
    SAFE_IN_NAMES,
    Composed,
    Plain,
    Ref,
    RuntimeKind,
    RuntimeValue,
    Value,
    is_settled,
    rendered,
)
from benchloom.exchange.definition_schema import Schema, fits
from benchloom.exchange.examples.example import Call, Example, Loss
from benchloom.exchange.examples.tools import Naming, Tool, function_name, names_of, tool_of

if TYPE_CHECKING:
    from collections.abc import Mapping

LOSSES = {
    "retyped_value": "A value is written in the type that its definition declares.",
    "misfit_value": "A value does not fit its definition, so the row's tool accepts any value.",
    "undeclared_argument": "An argument is not declared; the row's tool accepts other arguments.",
    "missing_argument": "A required argument is missing, so the row's tool does not require it.",
    "unknown_tool": "The API has no definition, so its tool accepts any arguments.",
    "repeated_argument": "An argument occurs more than once; only the last value is written.",
    "reads_as_reference": "A text of the source looks like a reference and will be read as one.",
    "supplied_value": "The value that the source states for a reference is not written.",
}
"""Explanations of the kinds of data that are lost when a call is rendered."""
_REFERENCE = re.compile(
    r"\$(?:call_(?P<step>\d{1,9})(?:\.(?P<output>[^$#]*))?"
    r"|(?P<kind>input|variable|missing)\.(?P<name>[^$#]*))(?:#(?P<path>[^$]*))?\$",
    re.ASCII,
)
_MAX_CACHED = 5000
_tool_cache: dict[str, tuple[ApiDefinition, str, Tool]] = {}


class RenderedCall(msgspec.Struct, frozen=True):
    """A call as a model sees it: the name of the tool, and its arguments as JSON."""

    name: str
    arguments: dict[str, Plain]


class RenderedExample(msgspec.Struct, frozen=True):
    """The rendered calls and tools of an example, and the data that rendering lost.

    The tools are sorted by name.
    """

    calls: tuple[RenderedCall, ...]
    tools: tuple[Tool, ...]
    losses: tuple[Loss, ...]


def reference_text(ref: Ref) -> str:
    """Return the text that represents a reference in arguments, such as `$call_0.id$`."""
    output = "" if ref.output is None else f".{quote(ref.output, safe=SAFE_IN_NAMES)}"
    path = f"#{quote(ref.path, safe=SAFE_IN_NAMES)}" if ref.path else ""
    return f"$call_{ref.step}{output}{path}$"


def read_references(value: Plain, calls: int) -> Value:
    """Convert plain JSON to a value in which texts such as `$call_0.id$` become references.

    `calls` is the number of calls; a text that names a later call remains a text.
    """
    if isinstance(value, str):
        return _with_references(value, calls)
    if isinstance(value, list):
        return [read_references(element, calls) for element in value]
    if isinstance(value, dict):
        return {name: read_references(member, calls) for name, member in value.items()}
    return value


def render_example(example: Example, naming: Naming = function_name) -> RenderedExample:
    """Render the calls and tools of an example; `naming` returns the name of a tool.

    Tools are sorted by name, so that their order does not reveal which of them are needed.
    """
    definitions_by_id = {tool.definition_id: tool for tool in example.definitions}
    unknown = {
        (call.app, call.api): None
        for call in example.calls
        if call.definition_id not in definitions_by_id
    }
    names = names_of(
        [
            (definition.app, definition.api, definition_id)
            for definition_id, definition in definitions_by_id.items()
        ]
        + [(app, api, f"unknown {app} {api}") for app, api in unknown],
        naming,
    )
    tools = {
        definition_id: _tool(definition, name)
        for (definition_id, definition), name in zip(definitions_by_id.items(), names, strict=False)
    }
    bare = {
        key: Tool(name, "", {"type": "object", "properties": {}})
        for key, name in zip(unknown, names[len(definitions_by_id) :], strict=True)
    }
    losses = [Loss("unknown_tool", name) for _, name in sorted(unknown)]
    calls = []
    for index, call in enumerate(example.calls):
        tool = tools.get(call.definition_id)
        if tool is None:
            call_arguments = {
                argument.name: rendered(argument.value, reference_text)
                for argument in call.arguments
            }
            calls.append(RenderedCall(bare[call.app, call.api].name, call_arguments))
        else:
            tool_call, wider, call_losses = _render_call(call, tool, f"call {index}")
            tools[call.definition_id] = wider
            calls.append(tool_call)
            losses += call_losses
        losses += _small_losses(call, len(example.calls), f"call {index}")
    every = sorted([*tools.values(), *bare.values()], key=lambda tool: tool.name)
    return RenderedExample(tuple(calls), tuple(every), tuple(losses))


def _render_call(call: Call, tool: Tool, location: str) -> tuple[RenderedCall, Tool, list[Loss]]:
    properties = cast("Mapping[str, Schema]", tool.parameters["properties"])
    wider: dict[str, Schema] = {}
    call_arguments: dict[str, Plain] = {}
    losses: list[Loss] = []
    for argument in call.arguments:
        name, value = argument.name, argument.value
        plain = rendered(value, reference_text)
        schema = properties.get(name)
        where = f"{location}.{name}"
        if schema is None:
            losses.append(Loss("undeclared_argument", where))
        elif is_settled(value) and not fits(plain, schema):
            other = _cast(plain, schema)
            if fits(other, schema):
                plain = other
                losses.append(Loss("retyped_value", where))
            else:
                wider[name] = {
                    word: schema[word] for word in ("description", "title") if word in schema
                }
                losses.append(Loss("misfit_value", where))
        call_arguments[name] = plain
    required = cast("list[str]", tool.parameters["required"])
    missing = [name for name in required if name not in call_arguments]
    losses += [Loss("missing_argument", f"{location}.{name}") for name in missing]
    rendered_call = RenderedCall(tool.name, call_arguments)
    undeclared = any(loss.kind == "undeclared_argument" for loss in losses)
    if not (wider or missing or undeclared):
        return rendered_call, tool, losses
    parameters: Schema = {
        **tool.parameters,
        "properties": {**properties, **wider},
        "required": [name for name in required if name in call_arguments],
    }
    if undeclared:
        parameters.pop("additionalProperties", None)
    return rendered_call, Tool(tool.name, tool.description, parameters), losses


def _small_losses(call: Call, calls: int, location: str) -> list[Loss]:
    names = [argument.name for argument in call.arguments]
    losses = [Loss("repeated_argument", location)] if len(set(names)) < len(names) else []
    for argument in call.arguments:
        if argument.supplied is not None:
            losses.append(Loss("supplied_value", f"{location}.{argument.name}"))
        if _misread(argument.value, calls):
            losses.append(Loss("reads_as_reference", f"{location}.{argument.name}"))
    return losses


def _misread(value: Value, calls: int) -> bool:
    if isinstance(value, str):
        return "$" in value and not isinstance(_with_references(value, calls), str)
    if isinstance(value, Composed):
        text = rendered(value, reference_text)
        return read_references(text, calls) != value
    if isinstance(value, list):
        return any(_misread(element, calls) for element in value)
    return isinstance(value, dict) and any(_misread(member, calls) for member in value.values())


def _cast(value: Plain, schema: Schema) -> Plain:
    type_name = schema.get("type")
    type_names = set(type_name) if isinstance(type_name, list) else {type_name}
    if type_names == {"array"} and not isinstance(value, list):
        items = cast("Schema", schema.get("items", {}))
        return [value if fits(value, items) else _cast(value, items)]
    if "array" in type_names and isinstance(value, list):
        items = cast("Schema", schema.get("items", {}))
        return [element if fits(element, items) else _cast(element, items) for element in value]
    if type_names & {"number", "integer"} and isinstance(value, str):
        return _number(value)
    if "boolean" in type_names and isinstance(value, int) and value in {0, 1}:
        return bool(value)
    if "string" in type_names and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if "enum" in schema and isinstance(value, str):
        return _number(value)
    return value


def _number(text: str) -> Plain:
    try:
        number: Plain = msgspec.json.decode(text, type=int | float)
    except msgspec.DecodeError:
        return text
    return number


def _with_references(text: str, calls: int) -> Value:
    parts: list[str | Ref | RuntimeValue] = []
    at = 0
    for match in _REFERENCE.finditer(text):
        if match["step"] is not None and int(match["step"]) >= calls:
            continue
        if match.start() > at:
            parts.append(text[at : match.start()])
        parts.append(_reference(match))
        at = match.end()
    if not parts:
        return text
    if at < len(text):
        parts.append(text[at:])
    (only, *others) = parts
    return Composed(tuple(parts)) if isinstance(only, str) or others else only


def _reference(match: re.Match[str]) -> Ref | RuntimeValue:
    path = unquote(match["path"] or "")
    if match["step"] is None:
        return RuntimeValue(cast("RuntimeKind", match["kind"]), unquote(match["name"]), path)
    output = None if match["output"] is None else unquote(match["output"])
    return Ref(int(match["step"]), output, path)


def _tool(definition: ApiDefinition, name: str) -> Tool:
    cache_entry = _tool_cache.get(definition.definition_id)
    if cache_entry is not None and cache_entry[0] is definition and cache_entry[1] == name:
        return cache_entry[2]
    tool = tool_of(definition, name)
    if len(_tool_cache) >= _MAX_CACHED:
        _tool_cache.clear()
    _tool_cache[definition.definition_id] = (definition, name, tool)
    return tool
