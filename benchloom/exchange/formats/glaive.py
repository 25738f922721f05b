"""The format of glaive's raw conversations, in which all turns are in one text.

The functions are JSON in the system text. Version 2 has the fields `system` and `chat`; version 1
has both texts in `sample`. A call is an object after `<functioncall>`, with its arguments in single
quotes.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    example_of_messages,
)
from benchloom.exchange.foreign.text_values import as_text, items_in, value_in
from benchloom.exchange.formats.messages import loose_call, read_tools
from benchloom.exchange.formats.records import RecordReading

_MARK = "<functioncall>"
_END = "<|endoftext|>"
_TURN = re.compile(r"(?:\A|\n)\s*(SYSTEM|USER|ASSISTANT|FUNCTION RESPONSE):")
_FUNCTIONS = re.compile(r"[\[{]")
_TEXT = re.compile(rb'"(?:chat|sample)"\s*:\s*"')
_SPOKEN = re.compile(rb"ASSISTANT:")


class _Record(msgspec.Struct, frozen=True):
    system: str = ""
    chat: str = ""
    sample: str = ""


class _Glaive(RecordReading):
    title = "glaive's function calling, each conversation in one text"
    source = "glaive"

    def recognises(self, name: str, head: bytes) -> bool:
        return bool(_TEXT.search(head) and _SPOKEN.search(head))

    def example(self, record: Any, location: ExampleOrigin) -> Example:
        row = msgspec.convert(record, _Record)
        whole = row.sample or f"{row.system}\n{row.chat}"
        parts = _TURN.split(whole)
        if len(parts) == 1:
            raise RejectedInputError(
                "unexpected_shape", "the text has no turn that begins with USER or ASSISTANT"
            )
        tools: list[Any] = []
        messages: list[ForeignMessage] = []
        for speaker, content in zip(parts[1::2], parts[2::2], strict=True):
            text = content.replace(_END, "").strip()
            match speaker:
                case "SYSTEM":
                    system, tools = _functions(text)
                    messages += [SpokenMessage("system", system)] if system else []
                case "USER":
                    messages.append(SpokenMessage("user", text))
                case "ASSISTANT":
                    messages += _assistant(text)
                case _:
                    messages.append(ForeignResult(_result(text)))
        return example_of_messages(location, messages, read_tools(tools))


def _functions(system: str) -> tuple[str, list[Any]]:
    start = _FUNCTIONS.search(system)
    if start is None:
        return system, []
    return system[: start.start()].strip(), list(items_in(system[start.start() :]))


def _assistant(text: str) -> Iterator[SpokenMessage | ForeignCalls]:
    words, mark, call_text = text.partition(_MARK)
    if not mark:
        yield SpokenMessage("assistant", text)
        return
    values = items_in(call_text.replace(_MARK, "\n"))
    yield ForeignCalls(tuple(map(loose_call, values)), text=words.strip())


def _result(text: str) -> str:
    try:
        value = value_in(text)
    except RejectedInputError:
        return text
    return text if isinstance(value, str) else as_text(value)


FORMAT = _Glaive()
