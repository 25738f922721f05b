"""The format of TRL's preference pairs: an accepted and a rejected request for the same calls.

Rows are in Parquet. The prompt contains calls and their tools, and asks for the request that leads
to them. `chosen` is a request that passed the checks, and `rejected` is a request that failed them.
These three columns are lists of messages, as TRL's `DPOTrainer` expects. `reasons` contains the
reasons of the checks that rejected the request. There is no column `tools`, because a trainer would
offer these tools to the model, whose answer is a text without calls.
"""

from pathlib import Path
from typing import ClassVar

import msgspec
import pyarrow as pa

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import LOSSES as OF_CALLS
from benchloom.exchange.examples.call_messages import RenderedExample, render_example
from benchloom.exchange.formats.base import ExampleWriter, Writing, WritingOptions
from benchloom.exchange.formats.parquet import ParquetWriter

_ENCODER = msgspec.json.Encoder()
_MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("target_id", pa.string()),
        ("prompt", _MESSAGES),
        ("chosen", _MESSAGES),
        ("rejected", _MESSAGES),
        ("rejected_id", pa.string()),
        ("reasons", pa.list_(pa.string())),
    ]
)
_ORDER = (
    "An assistant made the calls below for a person. Write what the person had said to it: one "
    "request in plain words, with every value that the assistant could not know otherwise, and "
    "without names of tools."
)


class _Preference(Writing):
    title = "TRL preference pairs: an accepted and a rejected request for the same calls"
    losses: ClassVar[dict[str, str]] = {
        **OF_CALLS,
        "no_pair": "An accepted or a rejected request is missing, so the row is not written.",
        "conversation": "Recorded turns, results and answers are not written.",
    }
    pairs = True

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return ParquetWriter(folder, SCHEMA, _row_of)


def _row_of(example: Example) -> tuple[dict[str, object], tuple[Loss, ...]]:
    if example.request is None or example.rejected is None:
        return {}, (Loss("no_pair", whole=True),)
    rendering = render_example(example)
    losses = [*rendering.losses]
    if (
        example.turns
        or example.answer is not msgspec.UNSET
        or any(call.result is not None for call in example.calls)
    ):
        losses.append(Loss("conversation"))
    row: dict[str, object] = {
        "id": example.example_id,
        "target_id": example.target_id,
        "prompt": [_message("user", _prompt(rendering))],
        "chosen": [_message("assistant", example.request)],
        "rejected": [_message("assistant", example.rejected.text)],
        "rejected_id": example.rejected.query_id,
        "reasons": list(example.rejected.reasons),
    }
    return row, tuple(losses)


def _prompt(rendering: RenderedExample) -> str:
    calls = [_ENCODER.encode(call).decode() for call in rendering.calls]
    tools = [
        f"{tool.name}: {' '.join(tool.description.split())}" if tool.description else tool.name
        for tool in rendering.tools
    ]
    return "\n".join([_ORDER, "", "Calls:", *(calls or ["none"]), "", "Tools:", *tools])


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


FORMAT = _Preference()
