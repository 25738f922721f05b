"""Build examples from external conversations and tools; `conversation.py` does the reverse."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, sealed
from benchloom.core.records.api_definition import EnumValue, Parameter, Return, Unknown
from benchloom.core.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.exchange.definition_schema import fits, parameter_schema
from benchloom.exchange.examples.call_messages import read_references
from benchloom.exchange.examples.conversation import (
    Answered,
    CallMessage,
    Entry,
    SpokenMessage,
    read_result,
    turns_of,
)
from benchloom.exchange.examples.example import (
    NO_TOOLS,
    Argument,
    Call,
    Example,
    Finding,
    Result,
    output_names,
)
from benchloom.exchange.examples.inner_schemas import LONGEST, WORDS
from benchloom.exchange.examples.tools import RETURNS, app_and_api, named_by_title

_TYPES = {
    "string": "String",
    "integer": "Integer",
    "int": "Integer",
    "number": "Number",
    "float": "Number",
    "boolean": "Boolean",
    "object": "Dictionary",
    "dict": "Dictionary",
    "null": "None",
}
_SCHEMA_KEYS = frozenset(
    {"type", "description", "title", "enum", "default", "items", "minimum", "maximum", "minItems",
     "maxItems", "format"}
)  # fmt: skip
_LONGEST_VALUE = 200
_ENCODER = msgspec.json.Encoder(order="deterministic")


class ExampleOrigin(msgspec.Struct, frozen=True):
    """The origin of an example: its format, file, id and split."""

    source: str
    source_uri: str
    source_id: str
    split: str = ""


class ForeignTool(msgspec.Struct, frozen=True):
    """A tool as an external source describes it.

    `parameters` should be a JSON Schema, but may be anything.
    """

    name: str
    description: str | None = None
    parameters: Any = None


class ForeignCall(msgspec.Struct, frozen=True):
    """A call as an external source contains it, with the name of a tool and JSON arguments."""

    name: str
    arguments: dict[str, Any]  # external JSON; msgspec has no recursive types


class ForeignCalls(msgspec.Struct, frozen=True):
    """A message of an external conversation that contains calls, their ids, and a text."""

    calls: tuple[ForeignCall, ...]
    ids: tuple[str, ...] = ()
    text: str = ""


class ForeignResult(msgspec.Struct, frozen=True):
    """The result of a call in an external conversation.

    An empty `call_id` means the first call that has no result yet.
    """

    text: str
    call_id: str = ""


ForeignMessage: TypeAlias = SpokenMessage | ForeignCalls | ForeignResult


def example_of_messages(
    origin: ExampleOrigin,
    messages: Iterable[ForeignMessage],
    tools: Iterable[ForeignTool],
    *,
    may_lack_tools: bool = False,
) -> Example:
    """Convert an external conversation with tool calls to an example.

    A result without the id of its call is assigned to the earliest call that has no result yet.

    If tools are offered, a request without calls becomes an example in which making no call is
    correct. With `may_lack_tools`, a request without calls and tools becomes an example with the
    oddity (a word for a tolerated fault) `no_tools`.

    Raises RejectedInputError if there are neither calls nor tools and `may_lack_tools` is off, if a
    result has no call before it, or if a value is nested too deeply.
    """
    entries, calls = _entries_of(messages)
    named_definitions = [_definition(tool, origin) for tool in list(tools)]
    lacks_tools = not calls and not named_definitions
    if lacks_tools and not may_lack_tools:
        raise RejectedInputError(
            "no_calls", "the record has neither calls nor tools, so it is no example of tool use"
        )
    by_name: dict[str, ApiDefinition] = {}
    findings = []
    for name, definition in named_definitions:
        first = by_name.setdefault(name, definition)
        if first.definition_id != definition.definition_id:
            findings.append(Finding("repeated_tool", f"tool {name}"))
    results = {
        entry.call: read_result(entry.text, len(calls))
        for entry in entries
        if isinstance(entry, Answered)
    }
    used = dict.fromkeys(call.name for call in calls if call.name in by_name)
    ordered = dict.fromkeys([*used, *by_name])
    turns = list(turns_of(entries))
    if not calls and turns and turns[-1].role == "assistant" and not turns[-1].text:
        turns.pop()  # an empty turn of the assistant is an answer without calls
    request = next((turn.text for turn in turns if turn.role == "user"), None)
    # A request alone is not a conversation; `request` contains it.
    is_plain = [(turn.role, turn.before) for turn in turns] == [("user", 0)]
    return Example(
        example_id=origin.source_id,
        target_id=origin.source_id,
        source=origin.source,
        source_id=origin.source_id,
        source_uri=origin.source_uri,
        split=origin.split,
        request=request,
        calls=tuple(
            _call(call, index, len(calls), by_name.get(call.name), results.get(index))
            for index, call in enumerate(calls)
        ),
        definitions=tuple(by_name[name] for name in ordered),
        turns=() if is_plain else tuple(turns),
        findings=tuple(findings),
        oddities=(NO_TOOLS,) if lacks_tools else (),
    )


def _call(
    call: ForeignCall, index: int, count: int, tool: ApiDefinition | None, result: Result | None
) -> Call:
    if depth_of(call.arguments) > MAX_DEPTH:
        raise RejectedInputError("too_deep", f"call {index}: arguments are nested too deeply")
    if not call.name.strip():
        raise RejectedInputError("no_name", f"call {index}: the called tool has no name")
    arguments = tuple(
        Argument(name, read_references(value, count)) for name, value in call.arguments.items()
    )
    if tool is None:
        return Call(*app_and_api(call.name), arguments, result=result)
    return Call(
        tool.app or "",
        tool.api,
        arguments,
        tool.definition_id,
        output_names(tool),
        result=result,
    )


def _entries_of(messages: Iterable[ForeignMessage]) -> tuple[list[Entry], list[ForeignCall]]:
    entries: list[Entry] = []
    calls: list[ForeignCall] = []
    waiting: dict[int, str] = {}
    for message in messages:
        if isinstance(message, SpokenMessage):
            entries.append(message)
        elif isinstance(message, ForeignCalls):
            numbers = range(len(calls), len(calls) + len(message.calls))
            entries.append(CallMessage(tuple(numbers), message.text))
            calls += message.calls
            # Some datasets reuse ids, so an id means a call of the latest message.
            waiting = dict(zip(numbers, [*message.ids, *[""] * len(numbers)], strict=False))
        else:
            number = next(
                (n for n, call_id in waiting.items() if message.call_id in {"", call_id}), None
            )
            if number is None:
                raise RejectedInputError("stray_result", "a result has no call before it")
            entries.append(Answered(number, message.text))
            del waiting[number]
    return entries, calls


def _definition(tool: ForeignTool, origin: ExampleOrigin) -> tuple[str, ApiDefinition]:
    if not tool.name.strip():
        raise RejectedInputError("no_name", "a tool has no name")
    schema = tool.parameters if isinstance(tool.parameters, dict) else {}
    app, api = named_by_title(tool.name, schema.get("title"))
    properties = schema.get("properties")
    required = schema.get("required")
    demanded = {name for name in _list(required) if isinstance(name, str)}
    unknown: list[Unknown] = []
    parameters = tuple(
        _parameter(name, declaration, name in demanded, unknown)
        for name, declaration in (properties.items() if isinstance(properties, dict) else ())
    )
    description, returns = _outputs(tool.description or "")
    definition = ApiDefinition(
        definition_id="",
        api=api,
        app=app or None,
        source_kind=origin.source,
        description=description or None,
        parameters=parameters,
        returns=tuple(Return(name, "Any", "object") for name in returns),
        unknown=tuple(unknown),
        source_uri=origin.source_uri,
        source_digest="",
    )
    return tool.name, sealed(definition)


def _outputs(description: str) -> tuple[str, tuple[str, ...]]:
    before, _, last = description.rpartition("\n")
    if not last.startswith(RETURNS):
        return description, ()
    try:
        names = msgspec.json.decode(last.removeprefix(RETURNS), type=tuple[str, ...])
    except msgspec.DecodeError:
        return description, ()
    return before, tuple(dict.fromkeys(name for name in names if name))


def _parameter(name: str, declaration: Plain, demanded: bool, unknown: list[Unknown]) -> Parameter:
    schema: Mapping[str, Plain] = declaration if isinstance(declaration, dict) else {}
    if not isinstance(declaration, dict):
        unknown.append(_unknown(f"parameters.{name}", declaration))
    items = schema.get("items")
    kind = schema.get("type")
    is_list = kind in ("array", "list")  # a list of types is not hashable
    inner: Mapping[str, Plain] = items if is_list and isinstance(items, dict) else {}
    is_plain_list = is_list and (not inner or inner.get("type") in ("array", "list"))
    value_schema = inner if is_list and not is_plain_list else schema
    keywords = _SCHEMA_KEYS - ({"items"} if is_plain_list and inner else set())
    unknown += [
        _unknown(f"parameters.{name}.{word}", schema[word])
        for word in schema
        if word not in keywords
    ]
    if value_schema is inner:
        unknown += [
            _unknown(f"parameters.{name}.items.{word}", inner[word])
            for word in inner
            if word not in {"type", "enum", "minimum", "maximum", "format"}
        ]
    plain = Parameter(
        name,
        *_type(
            value_schema, is_plain_list=is_plain_list, path=f"parameters.{name}", unknown=unknown
        ),
        title=_text(schema.get("title")),
        description=_text(schema.get("description")),
        multiple=is_list and not is_plain_list,
        optional=not demanded,
        enum_values=() if is_plain_list else _cases(value_schema, f"parameters.{name}", unknown),
        minimum=_number(value_schema.get("minimum")),
        maximum=_number(value_schema.get("maximum")),
        count_minimum=_count(schema.get("minItems")) if is_list else None,
        count_maximum=_count(schema.get("maxItems")) if is_list else None,
    )
    return _with_default(plain, schema, unknown)


def _type(
    schema: Mapping[str, Plain], *, is_plain_list: bool, path: str, unknown: list[Unknown]
) -> tuple[str, str]:
    if is_plain_list:
        return "Array", "array"
    kind = schema.get("type")
    type_name = _TYPES.get(kind) if isinstance(kind, str) else None
    if type_name is None and kind is not None and kind != "any":
        unknown.append(_unknown(f"{path}.type", kind))
    if type_name == "String" and schema.get("format") == "uri":
        return "URL", "primitive"
    if schema.get("enum") is not None and _is_enum(schema["enum"]):
        whole = all(isinstance(case, int) for case in _list(schema["enum"]))
        return ("Integer" if whole else "String"), "enum"
    return type_name or "Any", "primitive"


def _cases(
    schema: Mapping[str, Plain], location: str, unknown: list[Unknown]
) -> tuple[EnumValue, ...]:
    cases = schema.get("enum")
    if cases is None:
        return ()
    if not _is_enum(cases) or schema.get("format") == "uri":
        unknown.append(_unknown(f"{location}.enum", cases))
        return ()
    return tuple(EnumValue(value) for value in dict.fromkeys(str(case) for case in _list(cases)))


def _is_enum(values: Plain) -> bool:
    cases = _list(values)
    return bool(cases) and (
        all(isinstance(case, str) for case in cases)
        or all(isinstance(case, int) and not isinstance(case, bool) for case in cases)
    )


def _with_default(
    parameter: Parameter, schema: Mapping[str, Plain], unknown: list[Unknown]
) -> Parameter:
    if "default" not in schema:
        return parameter
    default = schema["default"]
    fitting = fits(default, parameter_schema(parameter))
    if parameter.optional is False or not fitting or depth_of(default) > MAX_DEPTH:
        unknown.append(_unknown(f"parameters.{parameter.name}.default", default))
        return parameter
    return replace(parameter, default=_ENCODER.encode(default).decode())


def _unknown(path: str, value: Plain) -> Unknown:
    text = _ENCODER.encode(value).decode()
    longest = LONGEST if path.rpartition(".")[2] in WORDS else _LONGEST_VALUE
    return Unknown(path, text if len(text) <= longest else f"{text[:longest]} …")


def _list(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else []


def _text(value: Plain) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: Plain) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(value: Plain) -> int | None:
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
        else None
    )
