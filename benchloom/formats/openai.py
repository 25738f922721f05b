"""OpenAI tools: the JSON-schema functions of a plan and the calls that are expected.

Function names allow letters, digits, `_` and `-` only, so app and API are joined by `__`. A
reference is written `$call_<n>.<output>`. `messages` stays empty: the instruction is written by
the generation stage.
"""

import re
from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription, ParameterDescription
from benchloom.records import PlanningPath, Step

_ENCODER = msgspec.json.Encoder()
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


class Property(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON schema of one parameter."""

    type: str
    description: str = ""
    enum: tuple[str, ...] | None = None
    default: str | None = None


class Parameters(msgspec.Struct, frozen=True, rename={"additional": "additionalProperties"}):
    """The JSON schema of a function's arguments."""

    type: str
    properties: dict[str, Property]
    required: list[str]
    additional: bool = False


class Function(msgspec.Struct, frozen=True):
    """One function."""

    name: str
    description: str
    parameters: Parameters


class Tool(msgspec.Struct, frozen=True):
    """One tool."""

    type: str
    function: Function


class CalledFunction(msgspec.Struct, frozen=True):
    """The name and the arguments, which are JSON in a text."""

    name: str
    arguments: str


class ToolCall(msgspec.Struct, frozen=True):
    """One expected call."""

    id: str
    type: str
    function: CalledFunction


class Record(msgspec.Struct, frozen=True):
    """One line of the export."""

    sample_id: str
    messages: list[str]
    tools: list[Tool]
    tool_calls: list[ToolCall]


def function_name(app: str, api: str) -> str:
    """A name within OpenAI's rules: `[A-Za-z0-9_-]`, at most 64."""
    return _NOT_ALLOWED.sub("_", f"{app}__{api}")[:_LONGEST_NAME]


def record_of(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> Record:
    """A plan as a record, with the tools of its steps in order of first use."""
    used = dict.fromkeys(step.definition_id for step in path.steps)
    return Record(
        path.source_id, [], [_tool(apis[name]) for name in used], [_call(s) for s in path.steps]
    )


def _call(step: Step) -> ToolCall:
    arguments = {
        a.name: a.value if a.from_step is None else f"$call_{a.from_step}.{a.output}"
        for a in step.arguments
    }
    function = CalledFunction(
        function_name(step.app, step.api), _ENCODER.encode(arguments).decode()
    )
    return ToolCall(f"call_{step.index}", "function", function)


def _tool(api: ApiDescription) -> Tool:
    parameters = Parameters(
        "object",
        {p.name: _property(p) for p in api.parameters},
        [p.name for p in api.parameters if p.required],
    )
    name = function_name(api.app, api.api)
    return Tool("function", Function(name, api.description, parameters))


def _property(parameter: ParameterDescription) -> Property:
    return Property("string", parameter.description, parameter.values or None, parameter.default)


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:
    """One line of the export."""
    return _ENCODER.encode(record_of(path, apis))
