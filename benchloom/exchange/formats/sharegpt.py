"""The format ShareGPT of LLaMA-Factory, with tools as JSON in a text.

The file `dataset_info.json` describes the dataset. Turns alternate, as LLaMA-Factory requires: odd
turns are messages of the user or observations, even turns are messages of the model or its calls.
Adjacent messages of one speaker are joined; where they cannot be joined, an empty text is inserted
between them. Turns after the model's last turn are left out, because a trainer cannot use them.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
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
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    example_of_messages,
)
from benchloom.exchange.formats.base import (
    SPLITS,
    ExampleWriter,
    LineFormat,
    LineWriter,
    Read,
    Reading,
    WritingOptions,
)
from benchloom.exchange.formats.hermes import Turn
from benchloom.exchange.formats.messages import (
    LOSSES,
    WrittenCall,
    decoded,
    read_call,
    read_tools,
)
from benchloom.exchange.formats.records import read_records
from benchloom.storage.inputs import SourceObject
from benchloom.storage.workspace import write_json

INFO = "dataset_info.json"
_ENCODER = msgspec.json.Encoder()
CHAT_SPEAKERS = re.compile(rb'"from"\s*:\s*"(?:user|assistant)"')
"""Matches the names of speakers in other formats, such as ToolACE's."""
_ODD = frozenset({"human", "observation"})


class Record(msgspec.Struct, frozen=True):
    """A line of the file, which is an example; `tools` is JSON in a text."""

    id: str
    conversations: tuple[Turn, ...]
    system: str
    tools: str


class _ShareGpt(LineFormat, Reading):
    title = "ShareGPT conversations of LLaMA-Factory"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "joined_turns": "Consecutive texts of the same speaker become one text.",
        "inserted_turn": "An empty text is inserted between two texts of the same speaker.",
        "closing_turn": "Messages and results after the model's last text are not written.",
        "results_together": "The results of calls in one message become a list in one turn.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _InfoWriter(self, folder, options.name)

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        rendering = render_example(example)
        entries, lost = conversation(example)
        losses = [*rendering.losses, *lost]
        turns = _in_turns(list(_turns(entries, rendering.calls, losses)), losses)
        record = Record(
            example.example_id,
            tuple(turns),
            "\n".join(
                e.text for e in entries if isinstance(e, SpokenMessage) and e.role == "system"
            ),
            _text(rendering.tools),
        )
        return _ENCODER.encode(record), tuple(losses)

    def recognises(self, name: str, head: bytes) -> bool:
        is_own = b"<tool" not in head and not CHAT_SPEAKERS.search(head)
        return b'"conversations"' in head and is_own

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        rows = [source for source in objects if not source.source_uri.endswith(INFO)]
        return read_records(rows, "sharegpt", _read)


class _InfoWriter(LineWriter):
    def __init__(self, written: LineFormat, folder: Path, name: str) -> None:
        super().__init__(written, folder)
        self._name = name

    def close(self) -> None:
        super().close()
        info = {
            self._name if stem == "data" else f"{self._name}_{stem}": {
                "file_name": f"{stem}.jsonl",
                "formatting": "sharegpt",
                "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
            }
            for stem in ("data", *SPLITS)
            if (self._folder / f"{stem}.jsonl").exists()
        }
        write_json(self._folder / INFO, info, indent=2)


def _turns(
    entries: Sequence[Entry], calls: Sequence[RenderedCall], losses: list[Loss]
) -> Iterator[Turn]:
    results: list[str] = []
    for number, entry in enumerate(entries):
        if isinstance(entry, Answered):
            results.append(entry.text)
            if number + 1 == len(entries) or not isinstance(entries[number + 1], Answered):
                if len(results) > 1:
                    losses.append(Loss("results_together", f"call {entry.call}"))
                yield Turn("observation", results[0] if len(results) == 1 else _text(results))
                results = []
        elif isinstance(entry, CallMessage):
            if entry.text:
                yield Turn("gpt", entry.text)
            turn_calls = [calls[number] for number in entry.calls]
            yield Turn(
                "function_call", _text(turn_calls[0] if len(turn_calls) == 1 else turn_calls)
            )
        elif entry.role != "system":
            yield Turn("human" if entry.role == "user" else "gpt", entry.text)


def _in_turns(turns: list[Turn], losses: list[Loss]) -> list[Turn]:
    """Merge turns so that speakers alternate, and drop turns after the model's last turn.

    An empty turn is inserted between two turns that would break the order and cannot be merged.
    """
    ordered_turns: list[Turn] = []
    while turns and turns[-1].speaker in _ODD:
        losses.append(Loss("closing_turn", f"turn {len(turns) - 1}"))
        turns.pop()
    for number, turn in enumerate(turns):
        odd = turn.speaker in _ODD
        last = ordered_turns[-1] if ordered_turns else None
        if last is not None and last.speaker == turn.speaker and turn.speaker in {"human", "gpt"}:
            losses.append(Loss("joined_turns", f"turn {number}"))
            ordered_turns[-1] = Turn(turn.speaker, f"{last.value}\n\n{turn.value}")
            continue
        if odd != (len(ordered_turns) % 2 == 0):
            losses.append(Loss("inserted_turn", f"turn {number}"))
            is_after_call = last is not None and last.speaker == "function_call"
            ordered_turns.append(
                Turn("gpt" if odd else "observation" if is_after_call else "human", "")
            )
        ordered_turns.append(turn)
    return ordered_turns


def _text(value: object) -> str:
    return _ENCODER.encode(value).decode()


class _Record(msgspec.Struct, frozen=True):
    conversations: list[Turn]
    system: str | None = None
    tools: list[Any] | str | None = None


def _read(record: Any, location: ExampleOrigin) -> Example:
    row = msgspec.convert(record, _Record)
    messages: list[ForeignMessage] = []
    if row.system:
        messages.append(SpokenMessage("system", row.system))
    call_count = 0
    for turn in row.conversations:
        match turn.speaker:
            case "human":
                messages += [SpokenMessage("user", turn.value)] if turn.value else []
            case "gpt":
                messages += [SpokenMessage("assistant", turn.value)] if turn.value else []
            case "function_call":
                calls = _calls(turn.value)
                call_count = len(calls)
                messages.append(ForeignCalls(calls))
            case "observation":
                messages += _results(turn.value, call_count)
            case other:
                raise RejectedInputError("unknown_role", f"unknown speaker {other!r}")
    return example_of_messages(location, messages, read_tools(row.tools or None))


def _calls(text: str) -> tuple[ForeignCall, ...]:
    value = decoded(text)
    calls = msgspec.convert(value if isinstance(value, list) else [value], list[WrittenCall])
    return tuple(map(read_call, calls))


def _results(text: str, call_count: int) -> list[ForeignResult]:
    if call_count > 1:
        try:
            return [
                ForeignResult(result_text)
                for result_text in msgspec.json.decode(text, type=list[str])
            ]
        except msgspec.DecodeError:
            return [ForeignResult(text)]
    return [ForeignResult(text)]


FORMAT = _ShareGpt()
