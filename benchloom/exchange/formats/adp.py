"""The format Agent Data Protocol: trajectories of actions and observations.

The tools are in `metadata.json`. An action with a known result has a `tool_call_id`, and one later
observation has the same id.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.call_messages import RenderedCall, RenderedExample, render_example
from benchloom.exchange.examples.conversation import CallMessage, Entry, SpokenMessage, conversation
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignMessage,
    ForeignResult,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.formats.base import (
    ExampleWriter,
    LineFiles,
    LineFormat,
    Read,
    Reading,
    WritingOptions,
    file_stem,
)
from benchloom.exchange.formats.messages import LOSSES, FunctionTool, ToolVersions, read_tools
from benchloom.exchange.formats.records import read_records
from benchloom.storage.inputs import SourceObject
from benchloom.storage.workspace import write_json

METADATA = "metadata.json"
VERSION = "2026"
_ENCODER = msgspec.json.Encoder()


class _Step(msgspec.Struct, frozen=True, tag_field="class_", forbid_unknown_fields=True):
    """A step of a trajectory; its JSON field `class_` names the kind of action or observation."""


class _ApiAction(_Step, frozen=True, tag="api_action"):
    function: str
    kwargs: dict[str, Any]  # external JSON; msgspec has no recursive types
    description: str | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    reward: float | None = None


class _MessageAction(_Step, frozen=True, tag="message_action"):
    content: str
    description: str | None = None


class _CodeAction(_Step, frozen=True, tag="code_action"):
    """A program that the agent ran, which the reader skips and the writer never writes."""

    language: str
    content: str
    description: str | None = None
    tool_call_id: str | None = None


class _TextObservation(_Step, frozen=True, tag="text_observation"):
    content: str
    source: Literal["user", "agent", "environment"]
    name: str | None = None
    tool_call_id: str | None = None


Step: TypeAlias = _ApiAction | _MessageAction | _CodeAction | _TextObservation


class _Trajectory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    content: tuple[Step, ...]
    available_custom_tools: tuple[str, ...] | None = None
    details: dict[str, Any] = {}  # external JSON; msgspec has no recursive types
    schema_version: str = VERSION


class Metadata(msgspec.Struct, frozen=True):
    """The content of `metadata.json`, which is the name of the data set and its tools."""

    name: str
    version: str
    custom_tools: list[FunctionTool]


class _Adp(LineFormat, Reading):
    title = "Agent Data Protocol trajectories"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "unlike_tools": "Versions of a tool differ in rows; `metadata.json` has the first version.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _MetadataWriter(folder, options)

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        return _line(example, render_example(example))

    def recognises(self, name: str, head: bytes) -> bool:
        is_metadata = name.endswith(METADATA) and b'"custom_tools"' in head
        return is_metadata or (b'"class_"' in head and b'"content"' in head)

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        tools = _tools(objects)
        rows = [source for source in objects if not source.source_uri.endswith(METADATA)]
        return read_records(rows, "adp", lambda record, location: _read(record, location, tools))


class _MetadataWriter(ExampleWriter):
    def __init__(self, folder: Path, options: WritingOptions) -> None:
        self._folder = folder
        self._lines = LineFiles(folder)
        self._options = options
        self._tools = ToolVersions()

    def add(self, example: Example) -> tuple[Loss, ...]:
        rendering = render_example(example)
        line, losses = _line(example, rendering)
        self._lines.write(f"{file_stem(example)}.jsonl", line)
        return losses + self._tools.add(rendering.tools)

    def close(self) -> None:
        self._lines.close()
        metadata = Metadata(self._options.name, self._options.version, self._tools.functions())
        write_json(self._folder / METADATA, metadata, indent=2)


def _line(example: Example, rendering: RenderedExample) -> tuple[bytes, tuple[Loss, ...]]:
    entries, losses = conversation(example)
    trajectory = _Trajectory(
        id=example.example_id,
        content=tuple(
            step for entry in entries for step in _steps(entry, rendering.calls, entries)
        ),
        available_custom_tools=tuple(tool.name for tool in rendering.tools),
        details={"split": example.split, "source": example.source},
    )
    return _ENCODER.encode(trajectory), (*rendering.losses, *losses)


def _steps(entry: Entry, calls: Sequence[RenderedCall], entries: Sequence[Entry]) -> Iterator[Step]:
    if isinstance(entry, SpokenMessage):
        if entry.role == "assistant":
            yield _MessageAction(entry.text)
        else:
            yield _TextObservation(entry.text, "user" if entry.role == "user" else "environment")
    elif isinstance(entry, CallMessage):
        if entry.text:
            yield _MessageAction(entry.text)
        has_result = entry is not entries[-1]
        for number in entry.calls:
            call = calls[number]
            call_id = f"call_{number}" if has_result else None
            yield _ApiAction(call.name, call.arguments, tool_call_id=call_id)
    else:
        name = calls[entry.call].name
        yield _TextObservation(entry.text, "environment", name, f"call_{entry.call}")


def _tools(objects: Sequence[SourceObject]) -> dict[str, ForeignTool]:
    for source in objects:
        if source.source_uri.endswith(METADATA):
            try:
                metadata = msgspec.json.decode(source.read(), type=_Metadata)
                return {tool.name: tool for tool in read_tools(metadata.custom_tools)}
            except (msgspec.DecodeError, RecursionError, RejectedInputError):
                return {}
    return {}


class _Metadata(msgspec.Struct, frozen=True):
    custom_tools: list[Any] = []


def _read(record: Any, location: ExampleOrigin, tools: dict[str, ForeignTool]) -> Example:
    trajectory = msgspec.convert(record, _Trajectory)
    messages: list[ForeignMessage] = []
    waiting: list[_ApiAction] = []
    for step in trajectory.content:
        if isinstance(step, _ApiAction):
            waiting.append(step)
            continue
        _call(messages, waiting)
        if isinstance(step, _MessageAction):
            messages.append(SpokenMessage("assistant", step.content))
        elif isinstance(step, _TextObservation):
            if step.tool_call_id is not None:
                messages.append(ForeignResult(step.content, step.tool_call_id))
            else:
                role: Literal["user", "system"] = "user" if step.source == "user" else "system"
                messages.append(SpokenMessage(role, step.content))
    _call(messages, waiting)
    available = trajectory.available_custom_tools
    names = tools if available is None else [name for name in available if name in tools]
    return example_of_messages(location, messages, [tools[name] for name in names])


def _call(messages: list[ForeignMessage], waiting: list[_ApiAction]) -> None:
    if waiting:
        calls = tuple(ForeignCall(action.function, action.kwargs) for action in waiting)
        messages.append(ForeignCalls(calls, tuple(action.tool_call_id or "" for action in waiting)))
        waiting.clear()


FORMAT = _Adp()
