"""The format of ToolACE's conversations, with calls as expressions: `[Find(city="Lomm")]`.

The tools are JSON in the system's text. Names of tools may have spaces. A result is a list with a
name and results for each call.
"""

import json
import re
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.foreign.text_values import as_text, items_in
from benchloom.exchange.formats.api_bank.call_text import SPACED_API, read_calls
from benchloom.exchange.formats.bfcl.schemas import json_schema
from benchloom.exchange.formats.hermes import Turn
from benchloom.exchange.formats.records import RecordReading
from benchloom.exchange.formats.sharegpt import CHAT_SPEAKERS
from benchloom.storage.inputs.json_nesting import may_nest_deeper

_LIST = re.compile(r"\[\s*\{")
_CALLS = re.compile(r"\[[^\[\]()=]+\(.*\)\s*\]", re.DOTALL)
_DECODER = json.JSONDecoder()  # unlike msgspec's decoder, it returns the end of a value


class _Record(msgspec.Struct, frozen=True):
    system: str
    conversations: list[Turn]


class _ToolAce(RecordReading):
    title = "ToolACE's conversations, with calls as expressions"
    source = "toolace"

    def recognises(self, name: str, head: bytes) -> bool:
        is_conversation = b'"conversations"' in head and b'"system"' in head
        return bool(is_conversation and b"<tool" not in head and CHAT_SPEAKERS.search(head))

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        row = msgspec.convert(record, _Record)
        system, tools = _tools(row.system)
        messages: list[ForeignMessage] = [SpokenMessage("system", system)] if system else []
        call_count = 0
        for turn in row.conversations:
            match turn.speaker:
                case "user":
                    messages.append(SpokenMessage("user", turn.value))
                case "assistant" if _CALLS.fullmatch(turn.value.strip()):
                    calls = _calls(turn.value)
                    call_count = len(calls)
                    messages.append(ForeignCalls(calls))
                case "assistant":
                    messages.append(SpokenMessage("assistant", turn.value))
                case "tool":
                    messages += _results(turn.value, call_count)
                case other:
                    raise RejectedInputError("unknown_role", f"unknown speaker {other!r}")
        return example_of_messages(location, messages, tools)


def _tools(system: str) -> tuple[str, list[ForeignTool]]:
    start = _LIST.search(system)
    if start is None:
        return system.strip(), []
    if may_nest_deeper(system[start.start() :].encode(errors="replace"), MAX_DEPTH):
        raise RejectedInputError("too_deep", "the list of tools is nested too deep")
    try:
        listed, end = _DECODER.raw_decode(system, start.start())
    except (ValueError, RecursionError) as error:
        raise RejectedInputError("bad_json", f"the list of tools is not JSON: {error}") from error
    tools = msgspec.convert(listed, list[ForeignTool])
    text = (system[: start.start()] + system[end:]).strip()
    return text, [ForeignTool(t.name, t.description, json_schema(t.parameters)) for t in tools]


def _calls(text: str) -> tuple[ForeignCall, ...]:
    calls, end = read_calls(text.strip(), SPACED_API)
    if text.strip()[end:].strip():
        raise RejectedInputError(
            "damaged_call", f"unexpected text after the calls: {text[end:][:80]!r}"
        )
    return tuple(ForeignCall(call.api, dict(call.arguments)) for call in calls)


def _results(text: str, call_count: int) -> list[ForeignResult]:
    """Return the results of several calls in a text, one for each call.

    If the text contains another number of values, it is returned as a single result.
    """
    try:
        listed = items_in(text)
    except RejectedInputError:
        return [ForeignResult(text)]
    if len(listed) != call_count:
        return [ForeignResult(text)]
    return [ForeignResult(_result(value)) for value in listed]


def _result(value: Any) -> str:
    return as_text(value.get("results", value) if isinstance(value, dict) else value)


FORMAT = _ToolAce()
