"""The format Hermes, in which tools, calls and results are JSON between tags in a conversation.

The system turn contains the tools, after any system messages of the example.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import RenderedCall, render_example
from benchloom.exchange.examples.conversation import (
    Answered,
    CallMessage,
    Entry,
    SpokenMessage,
    conversation,
)
from benchloom.exchange.examples.example import Role
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    example_of_messages,
)
from benchloom.exchange.foreign.text_values import as_text, items_in, value_in
from benchloom.exchange.formats.base import LineFormat
from benchloom.exchange.formats.messages import LOSSES, FunctionTool, loose_call, read_tools
from benchloom.exchange.formats.records import RecordReading

_ENCODER = msgspec.json.Encoder()
_PROMPT = (
    "You may call one or more of the functions below. Put each call, a JSON object with its "
    "arguments and its name, between tags of tool_call. The result of an earlier call is told as "
    "$call_<number>.<output>$, with calls counted from 0.\n"
)
_TOOLS = re.compile(r"<tools>\s*([\[{](?:(?!<tools>|</tools>).)*+)</tools>", re.DOTALL)
"""Matches a list of tools between tags; in prompts the tags also occur around other words."""
_CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
_RESPONSE = re.compile(r"<tool_response>\s*(.*?)\s*(?:</tool_response>|\Z)", re.DOTALL)
_TAG = re.compile(r"</?(?:tools|tool_call|tool_response)>")
_FROM = {"system": "system", "user": "human", "assistant": "gpt"}
_ROLES: dict[str, Role] = {
    "system": "system",
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "assistant": "assistant",
}


class _TaggedCall(msgspec.Struct, frozen=True):
    arguments: dict[str, Any]
    name: str


class _TaggedResult(msgspec.Struct, frozen=True):
    name: str
    content: str


class Turn(msgspec.Struct, frozen=True, rename={"speaker": "from"}):
    """A turn of a conversation, with its speaker and its text."""

    speaker: str
    value: str


class Record(msgspec.Struct, frozen=True):
    """A line of a file in the Hermes format, which is a conversation with an id."""

    id: str
    conversations: tuple[Turn, ...]


class _Hermes(LineFormat, RecordReading):
    title = "Hermes: tools, calls and results between tags"
    source = "hermes"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "tags_in_text": "A text contains one of the tags and would be read as a call or a tool.",
    }

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        rendering = render_example(example)
        entries, lost = conversation(example)
        tools = [FunctionTool("function", tool) for tool in rendering.tools]
        system = "\n".join([
            *(e.text for e in entries if isinstance(e, SpokenMessage) and e.role == "system"),
            f"{_PROMPT}<tools>\n{_text(tools)}\n</tools>",
        ])  # fmt: skip
        turns = [Turn("system", system)]
        turns += [turn for entry in entries for turn in _turns(entry, rendering.calls)]
        losses = [*rendering.losses, *lost]
        for number, entry in enumerate(entries):
            if not isinstance(entry, Answered) and _TAG.search(entry.text):
                losses.append(Loss("tags_in_text", f"entry {number}"))
        return _ENCODER.encode(Record(example.example_id, tuple(turns))), tuple(losses)

    def recognises(self, name: str, head: bytes) -> bool:
        return b'"conversations"' in head and (b"<tools>" in head or b"<tool_call>" in head)

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        row = msgspec.convert(record, _Record)
        tools: list[Any] = []
        messages: list[ForeignMessage] = []
        for turn in row.conversations:
            if turn.speaker == "tool":
                texts = _RESPONSE.findall(turn.value) or [turn.value]
                messages += [_result(text) for text in texts]
            elif turn.speaker not in _ROLES:
                raise RejectedInputError("unknown_role", f"unknown speaker {turn.speaker!r}")
            elif turn.speaker == "system":
                tools += [tool for text in _TOOLS.findall(turn.value) for tool in items_in(text)]
                text = _TOOLS.sub("", turn.value.replace(_PROMPT, "")).strip()
                messages += [SpokenMessage("system", text)] if text else []
            else:
                messages.append(_message(turn, _ROLES[turn.speaker]))
        return example_of_messages(location, messages, read_tools(tools or row.tools))


def _turns(entry: Entry, calls: Sequence[RenderedCall]) -> Iterator[Turn]:
    if isinstance(entry, SpokenMessage):
        if entry.role != "system":
            yield Turn(_FROM[entry.role], entry.text)
    elif isinstance(entry, CallMessage):
        tagged = [
            f"<tool_call>\n{_text(_TaggedCall(calls[n].arguments, calls[n].name))}\n</tool_call>"
            for n in entry.calls
        ]
        yield Turn("gpt", "\n".join([entry.text, *tagged] if entry.text else tagged))
    else:
        result = _text(_TaggedResult(calls[entry.call].name, entry.text))
        yield Turn("tool", f"<tool_response>\n{result}\n</tool_response>")


def _text(value: object) -> str:
    # In JSON, `<` is written as an escape, so that no value looks like a tag.
    return _ENCODER.encode(value).decode().replace("<", "\\u003c")


class _Record(msgspec.Struct, frozen=True):
    conversations: list[Turn]
    tools: list[Any] | str | None = None


def _message(turn: Turn, role: Role) -> SpokenMessage | ForeignCalls:
    texts = _CALL.findall(turn.value)
    calls = tuple(loose_call(value) for text in texts for value in items_in(text))
    if role != "assistant" or not calls:
        return SpokenMessage(role, turn.value)
    return ForeignCalls(calls, text=_CALL.sub("", turn.value).strip())


def _result(text: str) -> ForeignResult:
    try:
        value = value_in(text)
    except RejectedInputError:
        return ForeignResult(text)
    if isinstance(value, str):
        return ForeignResult(text)
    return ForeignResult(as_text(value.get("content", value) if isinstance(value, dict) else value))


FORMAT = _Hermes()
