"""OpenAI's messages and tools: arguments as JSON in a text.

All calls stand in one message of the assistant, in order; a result that an earlier call gives is
told as `$call_<n>.<output>$`.
"""

import msgspec

from benchloom.examples import Example, Ref
from benchloom.examples.tools import Schema, tool_names, tool_of
from benchloom.formats.base import LineFormat, Loss
from benchloom.records.values import Plain, rendered

_ENCODER = msgspec.json.Encoder()


class CalledFunction(msgspec.Struct, frozen=True):
    """The name and the arguments, which are JSON in a text."""

    name: str
    arguments: str


class ToolCall(msgspec.Struct, frozen=True):
    """One call."""

    id: str
    type: str
    function: CalledFunction


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message; `tool_calls` only where there are some."""

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()


class Function(msgspec.Struct, frozen=True):
    """One function with the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Schema


class FunctionTool(msgspec.Struct, frozen=True):
    """One tool."""

    type: str
    function: Function


class Record(msgspec.Struct, frozen=True):
    """One line."""

    id: str
    messages: tuple[Message, ...]
    tools: tuple[FunctionTool, ...]


def reference(ref: Ref) -> str:
    """How the result of an earlier call is told."""
    return f"$call_{ref.step}.{ref.output}$" if ref.output else f"$call_{ref.step}$"


class OpenAi(LineFormat):
    """Messages and tools, as OpenAI's client sends them."""

    title = "OpenAI messages and tools, arguments as text"

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
        names = tool_names(example.definitions)
        calls = []
        for index, call in enumerate(example.calls):
            supplied: dict[str, Plain] = {
                one.name: rendered(one.value, reference) for one in call.arguments
            }
            function = CalledFunction(names[call.definition_id], _ENCODER.encode(supplied).decode())
            calls.append(ToolCall(f"call_{index}", "function", function))
        tools = []
        for definition in example.definitions:
            tool = tool_of(definition, names[definition.definition_id])
            tools.append(
                FunctionTool("function", Function(tool.name, tool.description, tool.parameters))
            )
        messages = (
            Message("user", example.request or ""),
            Message("assistant", "", tuple(calls)),
        )
        return _ENCODER.encode(Record(example.example_id, messages, tuple(tools))), ()


FORMAT = OpenAi()
