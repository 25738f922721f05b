"""Examples of conversations and tools that others wrote: what `telling` does, the other way."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.examples.conversation import (
    Answered,
    Asked,
    Entry,
    Said,
    heard_result,
    said_turns,
)
from benchloom.examples.example import NO_TOOLS, Argument, Call, Example, Finding
from benchloom.examples.inner_schemas import LONGEST, WORDS
from benchloom.examples.telling import hear
from benchloom.examples.tools import RETURNS, app_and_api, named_by_title
from benchloom.records import ApiDefinition, sealed
from benchloom.records.api_definition import EnumValue, Parameter, Return, Unknown
from benchloom.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.rendering.definition_schema import parameter_schema
from benchloom.rendering.fitting import fits

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
_KNOWN = frozenset(
    {"type", "description", "title", "enum", "default", "items", "minimum", "maximum", "minItems",
     "maxItems", "format"}
)  # fmt: skip
_LONGEST_SHOWN = 200
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Place(msgspec.Struct, frozen=True):
    """Where something was read: the word of its format, its file, its id there, its split."""

    source: str
    source_uri: str
    source_id: str
    split: str = ""


class HeardTool(msgspec.Struct, frozen=True):
    """A tool as others tell it; `parameters` should be a JSON Schema."""

    name: str
    description: str | None = None
    parameters: Any = None


class HeardCall(msgspec.Struct, frozen=True):
    """A call as others tell it."""

    name: str
    arguments: dict[str, Any]  # JSON of others; msgspec knows no recursive types


class HeardCalls(msgspec.Struct, frozen=True):
    """Calls made together, the ids they have, and what was said along."""

    calls: tuple[HeardCall, ...]
    ids: tuple[str, ...] = ()
    text: str = ""


class HeardResult(msgspec.Struct, frozen=True):
    """What a call gave back; `ident` is the id of the call, empty for the next one."""

    text: str
    ident: str = ""


class UnheardError(ValueError):
    """What was told is no example; `reason` is a stable word."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def hear_example(
    place: Place,
    entries: Sequence[Entry],
    calls: Sequence[HeardCall],
    tools: Iterable[HeardTool],
    *,
    may_lack_tools: bool = False,
) -> Example:
    """The example of a conversation; `Asked` and `Answered` count in `calls`.

    A request without calls is an example where tools are offered: calling none of them is right.
    With `may_lack_tools` it is one without tools too, with the oddity `no_tools`.

    Raises:
        UnheardError: neither calls nor tools, or a value nested too deep.
    """
    found = [_definition(tool, place) for tool in tools]
    lacks_tools = not calls and not found
    if lacks_tools and not may_lack_tools:
        raise UnheardError("no_calls", "the record has neither calls nor tools")
    by_name: dict[str, ApiDefinition] = {}
    findings = []
    for name, definition in found:
        first = by_name.setdefault(name, definition)
        if first.definition_id != definition.definition_id:
            findings.append(Finding("repeated_tool", f"tool {name}"))
    results = {
        entry.call: heard_result(entry.text, len(calls))
        for entry in entries
        if isinstance(entry, Answered)
    }
    made = []
    for index, call in enumerate(calls):
        if depth_of(call.arguments) > MAX_DEPTH:
            raise UnheardError("too_deep", f"call {index}: arguments are nested too deep")
        if not call.name.strip():
            raise UnheardError("no_name", f"call {index}: the called tool has no name")
        known = by_name.get(call.name)
        app, api = app_and_api(call.name) if known is None else (known.app or "", known.api)
        arguments = tuple(
            Argument(name, hear(value, len(calls))) for name, value in call.arguments.items()
        )
        made.append(
            Call(
                app,
                api,
                arguments,
                known.definition_id if known is not None else "",
                outputs_of(known) if known is not None else (),
                result=results.get(index),
            )
        )
    used = dict.fromkeys(call.name for call in calls if call.name in by_name)
    ordered = dict.fromkeys([*used, *by_name])
    turns = list(said_turns(entries))
    if not calls and turns and turns[-1].role == "assistant" and not turns[-1].text:
        turns.pop()  # the empty turn that stands for an answer without calls
    request = next((turn.text for turn in turns if turn.role == "user"), None)
    # A request alone is no conversation; it stands in its own place.
    is_plain = [(turn.role, turn.before) for turn in turns] == [("user", 0)]
    return Example(
        example_id=place.source_id,
        target_id=place.source_id,
        source=place.source,
        source_id=place.source_id,
        source_uri=place.source_uri,
        split=place.split,
        request=request,
        calls=tuple(made),
        definitions=tuple(by_name[name] for name in ordered),
        turns=() if is_plain else tuple(turns),
        findings=tuple(findings),
        oddities=(NO_TOOLS,) if lacks_tools else (),
    )


def entries_of(
    messages: Iterable[Said | HeardCalls | HeardResult],
) -> tuple[list[Entry], list[HeardCall]]:
    """Entries and calls of messages; a result without an id is that of the next open call.

    Raises:
        UnheardError: a result that no call waits for.
    """
    entries: list[Entry] = []
    calls: list[HeardCall] = []
    waiting: dict[int, str] = {}
    for message in messages:
        if isinstance(message, Said):
            entries.append(message)
        elif isinstance(message, HeardCalls):
            numbers = range(len(calls), len(calls) + len(message.calls))
            entries.append(Asked(tuple(numbers), message.text))
            calls += message.calls
            # An id counts for the calls that were made last: some authors use one again.
            waiting = dict(zip(numbers, [*message.ids, *[""] * len(numbers)], strict=False))
        else:
            number = next(
                (n for n, ident in waiting.items() if message.ident in {"", ident}),
                None,
            )
            if number is None:
                raise UnheardError("stray_result", "a result stands where no call waits for it")
            entries.append(Answered(number, message.text))
            del waiting[number]
    return entries, calls


def outputs_of(definition: ApiDefinition) -> tuple[str, ...]:
    """The names of the outputs a definition declares."""
    return tuple(one.name for one in definition.returns if one.name)


def _definition(tool: HeardTool, place: Place) -> tuple[str, ApiDefinition]:
    if not tool.name.strip():
        raise UnheardError("no_name", "a tool without a name")
    schema = tool.parameters if isinstance(tool.parameters, dict) else {}
    app, api = named_by_title(tool.name, schema.get("title"))
    properties = schema.get("properties")
    required = schema.get("required")
    demanded = {one for one in _list(required) if isinstance(one, str)}
    unknown: list[Unknown] = []
    parameters = tuple(
        _parameter(name, told, name in demanded, unknown)
        for name, told in (properties.items() if isinstance(properties, dict) else ())
    )
    description, returns = _outputs(tool.description or "")
    definition = ApiDefinition(
        definition_id="",
        api=api,
        app=app or None,
        source_kind=place.source,
        description=description or None,
        parameters=parameters,
        returns=tuple(Return(name, "Any", "object") for name in returns),
        unknown=tuple(unknown),
        source_uri=place.source_uri,
        source_digest="",
    )
    return tool.name, sealed(definition)


def _outputs(description: str) -> tuple[str, tuple[str, ...]]:
    """A description without its last line, where that tells outputs."""
    before, _, last = description.rpartition("\n")
    if not last.startswith(RETURNS):
        return description, ()
    try:
        names = msgspec.json.decode(last.removeprefix(RETURNS), type=tuple[str, ...])
    except msgspec.DecodeError:
        return description, ()
    return before, tuple(dict.fromkeys(name for name in names if name))


def _parameter(name: str, told: Plain, demanded: bool, unknown: list[Unknown]) -> Parameter:
    schema: Mapping[str, Plain] = told if isinstance(told, dict) else {}
    if not isinstance(told, dict):
        unknown.append(_shown(f"parameters.{name}", told))
    items = schema.get("items")
    kind = schema.get("type")
    is_list = kind in ("array", "list")  # a list of types is no key of a set
    inner: Mapping[str, Plain] = items if is_list and isinstance(items, dict) else {}
    is_plain_list = is_list and (not inner or inner.get("type") in ("array", "list"))
    one = inner if is_list and not is_plain_list else schema
    known = _KNOWN - ({"items"} if is_plain_list and inner else set())
    unknown += [
        _shown(f"parameters.{name}.{word}", schema[word]) for word in schema if word not in known
    ]
    if one is inner:
        unknown += [
            _shown(f"parameters.{name}.items.{word}", inner[word])
            for word in inner
            if word not in {"type", "enum", "minimum", "maximum", "format"}
        ]
    plain = Parameter(
        name,
        *_type(one, is_plain_list=is_plain_list, place=f"parameters.{name}", unknown=unknown),
        title=_text(schema.get("title")),
        description=_text(schema.get("description")),
        multiple=is_list and not is_plain_list,
        optional=not demanded,
        enum_values=() if is_plain_list else _cases(one, f"parameters.{name}", unknown),
        minimum=_number(one.get("minimum")),
        maximum=_number(one.get("maximum")),
        count_minimum=_count(schema.get("minItems")) if is_list else None,
        count_maximum=_count(schema.get("maxItems")) if is_list else None,
    )
    return _with_default(plain, schema, unknown)


def _type(
    schema: Mapping[str, Plain], *, is_plain_list: bool, place: str, unknown: list[Unknown]
) -> tuple[str, str]:
    if is_plain_list:
        return "Array", "array"
    kind = schema.get("type")
    found = _TYPES.get(kind) if isinstance(kind, str) else None
    if found is None and kind is not None and kind != "any":
        unknown.append(_shown(f"{place}.type", kind))
    if found == "String" and schema.get("format") == "uri":
        return "URL", "primitive"
    if schema.get("enum") is not None and _is_enum(schema["enum"]):
        whole = all(isinstance(one, int) for one in _list(schema["enum"]))
        return ("Integer" if whole else "String"), "enum"
    return found or "Any", "primitive"


def _cases(
    schema: Mapping[str, Plain], place: str, unknown: list[Unknown]
) -> tuple[EnumValue, ...]:
    told = schema.get("enum")
    if told is None:
        return ()
    if not _is_enum(told) or schema.get("format") == "uri":
        unknown.append(_shown(f"{place}.enum", told))
        return ()
    return tuple(EnumValue(value) for value in dict.fromkeys(str(one) for one in _list(told)))


def _is_enum(told: Plain) -> bool:
    """Whether values are all texts, or all whole numbers."""
    cases = _list(told)
    return bool(cases) and (
        all(isinstance(one, str) for one in cases)
        or all(isinstance(one, int) and not isinstance(one, bool) for one in cases)
    )


def _with_default(
    parameter: Parameter, schema: Mapping[str, Plain], unknown: list[Unknown]
) -> Parameter:
    """The parameter with its default, unless none may stand: it must fit and not be demanded."""
    if "default" not in schema:
        return parameter
    default = schema["default"]
    fitting = fits(default, parameter_schema(parameter))
    if parameter.optional is False or not fitting or depth_of(default) > MAX_DEPTH:
        unknown.append(_shown(f"parameters.{parameter.name}.default", default))
        return parameter
    return msgspec.structs.replace(parameter, default=_ENCODER.encode(default).decode())


def _shown(path: str, value: Plain) -> Unknown:
    text = _ENCODER.encode(value).decode()
    longest = LONGEST if path.rpartition(".")[2] in WORDS else _LONGEST_SHOWN
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
