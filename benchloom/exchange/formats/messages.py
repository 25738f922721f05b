"""Read and write chat messages and tools in OpenAI's structure, which several formats share.

The formats differ in whether the arguments of a call are an object or JSON in a text.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, depth_of
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import LOSSES as OF_CALLS
from benchloom.exchange.examples.call_messages import RenderedCall, render_example
from benchloom.exchange.examples.conversation import LOSSES as OF_CONVERSATIONS
from benchloom.exchange.examples.conversation import CallMessage, SpokenMessage, conversation
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.examples.tools import Tool
from benchloom.exchange.foreign.text_values import value_in
from benchloom.exchange.formats.records import RecordReading

LOSSES = {**OF_CALLS, **OF_CONVERSATIONS}
_ARGUMENTS = TypeVar("_ARGUMENTS")
_ENCODER = msgspec.json.Encoder()


class Function(msgspec.Struct, Generic[_ARGUMENTS], frozen=True):
    """The name and the arguments of the function that a call names."""

    name: str
    arguments: _ARGUMENTS


class ToolCall(msgspec.Struct, Generic[_ARGUMENTS], frozen=True):
    """A tool call in a chat message."""

    id: str
    type: str
    function: Function[_ARGUMENTS]


class Message(msgspec.Struct, Generic[_ARGUMENTS], frozen=True, omit_defaults=True):
    """A chat message; its last three fields are written only if they are not empty."""

    role: str
    content: str
    tool_calls: tuple[ToolCall[_ARGUMENTS], ...] = ()
    tool_call_id: str = ""
    name: str = ""


class FunctionTool(msgspec.Struct, frozen=True):
    """An entry of the list `tools`, which wraps a function."""

    type: str
    function: Tool


class ToolVersions:
    """Collects the tools of an export, for formats that write each tool once.

    Rows may contain different versions of a tool; only the first version is written.
    """

    def __init__(self) -> None:
        self._first: dict[str, Tool] = {}

    def add(self, tools: Iterable[Tool]) -> tuple[Loss, ...]:
        """Add the tools of a row; return a loss for each that differs from its first version."""
        return tuple(
            Loss("unlike_tools", tool.name)
            for tool in tools
            if self._first.setdefault(tool.name, tool) != tool
        )

    def functions(self) -> list[FunctionTool]:
        """Return the first version of each tool, sorted by name."""
        return [FunctionTool("function", tool) for _, tool in sorted(self._first.items())]


class Record(msgspec.Struct, Generic[_ARGUMENTS], frozen=True):
    """An example as one line of messages and tools."""

    id: str
    messages: tuple[Message[_ARGUMENTS], ...]
    tools: tuple[FunctionTool, ...]


def arguments_text(call: RenderedCall) -> str:
    """Return the arguments of a call as a text that contains JSON."""
    return _ENCODER.encode(call.arguments).decode()


def record_of(
    example: Example, arguments: Callable[[RenderedCall], _ARGUMENTS], *, named_results: bool
) -> tuple[Record[_ARGUMENTS], tuple[Loss, ...]]:
    """Convert an example to messages and tools; also return the data that these lose.

    `arguments` converts the arguments of a call to the form that the format requires. With
    `named_results`, each result contains the name of its tool. Chat templates require this name,
    but OpenAI's types reject it.
    """
    rendering = render_example(example)
    entries, losses = conversation(example)
    messages: list[Message[_ARGUMENTS]] = []
    for entry in entries:
        if isinstance(entry, SpokenMessage):
            messages.append(Message(entry.role, entry.text))
        elif isinstance(entry, CallMessage):
            calls = tuple(
                ToolCall(
                    f"call_{index}",
                    "function",
                    Function(rendering.calls[index].name, arguments(rendering.calls[index])),
                )
                for index in entry.calls
            )
            messages.append(Message("assistant", entry.text, calls))
        else:
            name = rendering.calls[entry.call].name if named_results else ""
            messages.append(
                Message("tool", entry.text, tool_call_id=f"call_{entry.call}", name=name)
            )
    tools = tuple(FunctionTool("function", tool) for tool in rendering.tools)
    record = Record(example.example_id, tuple(messages), tools)
    return record, (*rendering.losses, *losses)


class WrittenCall(msgspec.Struct, frozen=True):
    """A call to read; its arguments are an object, or a text that contains JSON."""

    name: str
    arguments: str | dict[str, Any] | None = None
    parameters: str | dict[str, Any] | None = None  # some sources' name for the arguments


class _Call(msgspec.Struct, frozen=True):
    function: WrittenCall
    id: str | None = None


class _Part(msgspec.Struct, frozen=True):
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: str | list[_Part] | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None
    function_call: WrittenCall | None = None


class _FunctionTool(msgspec.Struct, frozen=True):
    function: ForeignTool


class _Record(msgspec.Struct, frozen=True):
    messages: list[Any]
    tools: list[Any] | str | None = None
    functions: list[Any] | str | None = None


class MessageReading(RecordReading):
    """A format of messages and tools that can be read."""

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        """Build the example in a record of messages and tools."""
        row = msgspec.convert(record, _Record)
        messages = [msgspec.convert(decoded(message), _Message) for message in row.messages]
        return example_of_messages(
            location, map(_read_message, messages), read_tools(row.tools or row.functions)
        )


def read_tools(raw_tools: list[Any] | str | None) -> Iterator[ForeignTool]:
    """Yield the tools in a list, which may be JSON in a text.

    A tool may be wrapped in an object with the key `function`.

    Raises msgspec.ValidationError if the tools have another shape; RejectedInputError if a text is
    not JSON.
    """
    decoded_tools = decoded(raw_tools)
    tools = [decoded(tool) for tool in msgspec.convert(decoded_tools or [], list[Any])]
    for tool in tools:
        if isinstance(tool, dict) and "function" in tool:
            yield msgspec.convert(tool, _FunctionTool).function
        else:
            yield msgspec.convert(tool, ForeignTool)


def decoded(value: Any) -> Any:
    """Decode the JSON in a text; a value that is not a text is returned unchanged.

    Raises RejectedInputError if the text is not JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        parsed_value = msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RejectedInputError("bad_json", f"a text must be JSON but is not: {error}") from error
    if depth_of(parsed_value) > MAX_DEPTH:
        raise RejectedInputError("too_deep", "JSON inside a text is nested too deeply")
    return parsed_value


def _read_message(message: _Message) -> ForeignMessage:
    text = _text(message.content)
    match message.role:
        case "assistant" if message.tool_calls:
            calls = tuple(read_call(call.function) for call in message.tool_calls)
            return ForeignCalls(calls, tuple(call.id or "" for call in message.tool_calls), text)
        case "assistant" if message.function_call is not None:
            return ForeignCalls((read_call(message.function_call),), text=text)
        case "system" | "user" | "assistant" as role:
            return SpokenMessage(role, text)
        case "developer":
            return SpokenMessage("system", text)
        case "tool" | "function":
            return ForeignResult(text, message.tool_call_id or "")
        case role:
            raise RejectedInputError("unknown_role", f"unknown role {role!r}")


def read_call(call: WrittenCall) -> ForeignCall:
    """Read a call whose arguments are an object or a text with JSON.

    An empty text means no arguments.

    Raises RejectedInputError if the arguments are not an object.
    """
    arguments = decoded(call.arguments) if call.arguments else {}
    if not isinstance(arguments, dict):
        raise RejectedInputError("unexpected_shape", "the arguments of a call are not an object")
    return ForeignCall(call.name, arguments)


def loose_call(value: Any) -> ForeignCall:
    """Read a call whose arguments may also be Python in a text, or in the field `parameters`.

    Raises msgspec.ValidationError if the value has another shape; RejectedInputError if the
    arguments are not an object, or their text contains no value.
    """
    call = msgspec.convert(value, WrittenCall)
    arguments: Any = call.parameters if call.arguments is None else call.arguments
    if isinstance(arguments, str) and arguments.strip():
        arguments = value_in(arguments)
    return read_call(WrittenCall(call.name, arguments))


def _text(content: str | list[_Part] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""
