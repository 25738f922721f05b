"""The format of xLAM's records (APIGen): a query, and its calls and tools as JSON in texts.

Types of parameters are Python's, such as `List[str], optional`. A parameter is optional if its type
contains the word `optional`, or if it has a default.
"""

import re
from typing import Any

import msgspec

from benchloom.exchange.examples import Example
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCalls,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.foreign.text_values import items_in
from benchloom.exchange.formats.bfcl.schemas import JSON_TYPES
from benchloom.exchange.formats.messages import loose_call
from benchloom.exchange.formats.records import RecordReading

_KEYS = tuple(re.compile(rb'"%s"\s*:\s*(?:"|\[)' % key) for key in (b"query", b"answers", b"tools"))
_GENERIC = re.compile(r"(\w+)\s*(?:\[(.*)\])?", re.DOTALL)


class _Record(msgspec.Struct, frozen=True):
    query: str
    answers: str | list[Any]
    tools: str | list[Any]


class _Tool(msgspec.Struct, frozen=True):
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class _Xlam(RecordReading):
    title = "xLAM's function calling (APIGen): query, answers and tools"
    source = "xlam"

    def recognises(self, name: str, head: bytes) -> bool:
        return all(key.search(head) for key in _KEYS)

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        row = msgspec.convert(record, _Record)
        tools = [_tool(msgspec.convert(tool, _Tool)) for tool in _items(row.tools)]
        calls = tuple(map(loose_call, _items(row.answers)))
        messages: list[SpokenMessage | ForeignCalls] = [SpokenMessage("user", row.query)]
        return example_of_messages(
            location, [*messages, ForeignCalls(calls)] if calls else messages, tools
        )


def _items(value: str | list[Any]) -> list[Any]:
    if isinstance(value, list):
        return value
    return list(items_in(value)) if value.strip() else []


def _tool(tool: _Tool) -> ForeignTool:
    fields = tool.parameters or {}
    if isinstance(fields.get("properties"), dict):
        return ForeignTool(tool.name, tool.description, fields)
    schemas = {name: _schema(field) for name, field in fields.items()}
    required = [name for name, field in fields.items() if _is_required(field)]
    parameters = {"type": "object", "properties": schemas, "required": required}
    return ForeignTool(tool.name, tool.description, parameters)


def _is_required(field: Any) -> bool:
    kind = field.get("type") if isinstance(field, dict) else None
    return (
        isinstance(field, dict)
        and "default" not in field
        and not (isinstance(kind, str) and "optional" in kind.casefold())
    )


def _schema(field: Any) -> dict[str, Any]:
    if not isinstance(field, dict):
        return {}
    schema = {word: value for word, value in field.items() if word not in {"type", "required"}}
    kind = field.get("type")
    return schema | (type_schema(kind) if isinstance(kind, str) else {})


def type_schema(type_name: str) -> dict[str, Any]:
    """Convert the Python name of a type, such as `List[str], optional`, to a JSON Schema."""
    match = _GENERIC.match(type_name.strip())
    if match is None:
        return {}
    base, inner = match[1].casefold(), match[2]
    if base == "optional" and inner:
        return type_schema(inner)
    kind = JSON_TYPES.get(base)
    if kind is None:
        return {}
    items = type_schema(inner) if inner and kind == "array" and "," not in inner else {}
    return {"type": kind, "items": items} if items else {"type": kind}


FORMAT = _Xlam()
