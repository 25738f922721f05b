"""The format of session traces, which the Hugging Face Hub displays in its trace viewer.

Each example is a file of JSON lines: a header with the session's id, then one message per line. The
Hub documents this form as "Session Traces Format". This form cannot store tools.
"""

from pathlib import Path
from typing import ClassVar

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.plain_words import shortened
from benchloom.core.records.values import is_settled, rendered
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import reference_text
from benchloom.exchange.foreign.text_values import as_text
from benchloom.exchange.formats.base import ExampleWriter, Writing, WritingOptions, file_stem
from benchloom.exchange.formats.messages import LOSSES, Function, arguments_text, record_of

_ENCODER = msgspec.json.Encoder()
_LONGEST_TITLE = 80
_DIGITS = 32


class _Header(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="session"):
    harness: str
    id: str
    name: str = ""
    source: str = ""
    target: str = ""


class _Call(msgspec.Struct, frozen=True):
    id: str
    function: Function[str]


class _Message(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    role: str
    content: str
    tool_calls: tuple[_Call, ...] = ()
    tool_call_id: str = ""


class _Line(msgspec.Struct, frozen=True, tag_field="type", tag="message"):
    message: _Message


class _Traces(Writing):
    observed = True
    title = "Session traces for the trace viewer of the Hugging Face Hub, one file per session"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "tools": "The tools of the example are not written.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _TraceWriter(folder)


class _TraceWriter(ExampleWriter):
    """Writes each session to a file, because the trace viewer opens one session per file.

    A file is named `sessions/<split>/<digest of the example's id>.jsonl`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "sessions"

    def add(self, example: Example) -> tuple[Loss, ...]:
        lines, losses = _session(example)
        key = hex_of(digest_of_parts("session", (example.example_id,)))[:_DIGITS]
        path = self._folder / file_stem(example) / f"{key}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.writelines(_ENCODER.encode(line) + b"\n" for line in lines)
        return losses

    def close(self) -> None:
        """Do nothing, because `add` closes each file that it writes."""


def _session(example: Example) -> tuple[list[_Header | _Line], tuple[Loss, ...]]:
    record, losses = record_of(example, arguments_text, named_results=False)
    messages = [
        _Message(
            message.role,
            message.content,
            tuple(_Call(call.id, call.function) for call in message.tool_calls),
            message.tool_call_id,
        )
        for message in record.messages
    ]
    answer = _answer_text(example)
    if answer and (messages[-1].role != "assistant" or messages[-1].tool_calls):
        messages.append(_Message("assistant", answer))
        losses = tuple(loss for loss in losses if loss.kind != "answer")
    if record.tools:
        losses = (*losses, Loss("tools"))
    header = _Header(
        "benchloom",
        example.example_id,
        _title(next((message.content for message in messages if message.role == "user"), "")),
        example.source,
        example.target_id,
    )
    lines: list[_Header | _Line] = [header, *map(_Line, messages)]
    return lines, losses


def _answer_text(example: Example) -> str:
    answer = example.answer
    if answer is msgspec.UNSET or not is_settled(answer):
        return ""
    return as_text(rendered(answer, reference_text))


def _title(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST_TITLE)


FORMAT = _Traces()
