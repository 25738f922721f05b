"""The format of verl's rows for reinforcement learning, in Parquet.

A row has a prompt, a ground truth, and data about tools in `extra_info`. verl reads the schemas of
tools from a separate file, `tools.json`; each row repeats the schemas of its tools in
`extra_info.tools`. The ground truth is JSON: the calls in order, with references as texts.
`extra_info.tools_kwargs` has a field for every tool of the export. The field of a tool contains the
expected calls of this tool, or null if the row does not offer it.
"""

import tempfile
from pathlib import Path
from typing import ClassVar

import msgspec
import pyarrow as pa

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import LOSSES, RenderedExample, render_example
from benchloom.exchange.examples.conversation import CallMessage, SpokenMessage, conversation
from benchloom.exchange.formats.base import ExampleWriter, Writing, WritingOptions, file_stem
from benchloom.exchange.formats.messages import FunctionTool, ToolVersions
from benchloom.exchange.formats.parquet import RowFiles
from benchloom.storage.workspace import write_json

TOOLS = "tools.json"
_ENCODER = msgspec.json.Encoder()
_TRUTH = pa.struct([("ground_truth", pa.string())])
_ROW = pa.struct([("id", pa.string())])
_KWARGS = pa.struct(
    [
        ("create_kwargs", _TRUTH),
        ("execute_kwargs", _ROW),
        ("calc_reward_kwargs", _TRUTH),
        ("release_kwargs", _ROW),
    ]
)
_PROMPT = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))


class _Verl(Writing):
    title = "verl: prompts, ground truths and arguments of tools, in Parquet"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "later_turn": "Messages after the first call are not written.",
        "result": "The result of a call is not written.",
        "outcome": "The outcome of a call (failed, retried, superseded) is not written.",
        "answer": "The final answer of the example is not written.",
        "no_request": "The example has no text for a prompt, so the row is not written.",
        "unlike_tools": "Versions of a tool differ in rows; `tools.json` has the first version.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _VerlWriter(folder, options.name)


class _VerlWriter(ExampleWriter):
    """Buffers rows in a temporary file, because each row has a field for every exported tool."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._tools = ToolVersions()
        self._buffer = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  closed by `close`
        self._numbers: dict[str, int] = {}

    def add(self, example: Example) -> tuple[Loss, ...]:
        rendering = render_example(example)
        prompt, losses = _prompt(example)
        losses += rendering.losses
        if any(loss.whole for loss in losses):
            return tuple(losses)
        losses += self._tools.add(rendering.tools)
        stem = file_stem(example)
        index = self._numbers[stem] = self._numbers.get(stem, -1) + 1
        row = _row(example, rendering, prompt, self._name, index)
        self._buffer.write(_ENCODER.encode([stem, row]) + b"\n")
        return tuple(losses)

    def close(self) -> None:
        tools = self._tools.functions()
        files = RowFiles(self._folder, _schema([tool.function.name for tool in tools]))
        self._buffer.seek(0)
        try:
            for line in self._buffer:
                stem, row = msgspec.json.decode(line)
                files.add(stem, row)
        finally:
            files.close()
            self._buffer.close()
        write_json(self._folder / TOOLS, tools, indent=2)


def _schema(tools: list[str]) -> pa.Schema:
    extra = [
        ("split", pa.string()),
        ("index", pa.int64()),
        ("id", pa.string()),
        ("need_tools_kwargs", pa.bool_()),
        ("tools_kwargs", pa.struct([(name, _KWARGS) for name in tools])),
        ("interaction_kwargs", pa.struct([("query", pa.string())])),
        ("tools", pa.string()),
    ]
    return pa.schema(
        [
            ("data_source", pa.string()),
            ("prompt", _PROMPT),
            ("ability", pa.string()),
            ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
            ("extra_info", pa.struct(extra)),
        ]
    )


def _row(
    example: Example,
    rendering: RenderedExample,
    prompt: list[dict[str, str]],
    name: str,
    index: int,
) -> dict[str, object]:
    id_arguments = {"id": example.example_id}
    kwargs = {
        tool.name: {
            "create_kwargs": (
                truth := {
                    "ground_truth": _text(
                        [call.arguments for call in rendering.calls if call.name == tool.name]
                    )
                }
            ),
            "execute_kwargs": id_arguments,
            "calc_reward_kwargs": truth,
            "release_kwargs": id_arguments,
        }
        for tool in rendering.tools
    }
    return {
        "data_source": name,
        "prompt": prompt,
        "ability": "tool_planning",
        "reward_model": {"style": "rule", "ground_truth": _text(rendering.calls)},
        "extra_info": {
            "split": example.split,
            "index": index,
            "id": example.example_id,
            "need_tools_kwargs": True,
            "tools_kwargs": kwargs,
            "interaction_kwargs": {"query": prompt[-1]["content"]},
            "tools": _text([FunctionTool("function", tool) for tool in rendering.tools]),
        },
    }


def _prompt(example: Example) -> tuple[list[dict[str, str]], list[Loss]]:
    prompt: list[dict[str, str]] = []
    losses = [
        Loss("result", f"call {index}")
        for index, call in enumerate(example.calls)
        if call.result is not None
    ]
    has_called = False
    entries, conversation_losses = conversation(example)
    losses += [loss for loss in conversation_losses if loss.kind in {"outcome", "answer"}]
    for number, entry in enumerate(entries):
        if isinstance(entry, SpokenMessage) and not has_called:
            prompt.append({"role": entry.role, "content": entry.text})
        elif isinstance(entry, SpokenMessage | CallMessage) and entry.text:
            losses.append(Loss("later_turn", f"entry {number}"))
        has_called = has_called or isinstance(entry, CallMessage)
    if not any(message["role"] == "user" for message in prompt):
        losses.append(Loss("no_request", whole=True))
    return prompt, losses


def _text(value: object) -> str:
    return _ENCODER.encode(value).decode()


FORMAT = _Verl()
