"""The format of NESTFUL, version 1, in which calls have labels that later calls refer to.

Calls are labelled `var1`, `var2` and so on, references are texts such as `$var1.field$`, and the
last entry `var_result` contains the answer. The tools are in a separate file. benchloom adds
`sample_id` and `split`, which the published files lack. The records of `x-data.json` use the tools
of `x-spec.json`, or all tools of the folder if this file does not exist.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.core.records.values import Plain
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.example import refs_of
from benchloom.exchange.foreign.catalogue import Catalogue
from benchloom.exchange.foreign.labelled_records import ANSWER, RECORD, example_of_record, plain_of
from benchloom.exchange.foreign.labels import free_prefix
from benchloom.exchange.foreign.losses import LOSSES, LabelledLosses, labelled_value
from benchloom.exchange.foreign.records import (
    Record,
    faults,
    iter_records,
    read_each,
    rejected_file,
)
from benchloom.exchange.foreign.specifications import definition_of, tool_of
from benchloom.exchange.formats.base import (
    SPLITS,
    ExampleWriter,
    LineFormat,
    LineWriter,
    Read,
    Reading,
    WritingOptions,
    split_of,
)
from benchloom.exchange.formats.nestful_v2 import labelled_calls
from benchloom.storage.inputs import SourceObject
from benchloom.storage.workspace import write_json

_ENCODER = msgspec.json.Encoder()
_KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_RECORDS = re.compile(rb'"output"\s*:\s*"?\[\s*(?:\{\s*\\?"(?:name|label|arguments)|\])')
_OTHERS = re.compile(rb'"(?:tools|gold_answer|api_name)"\s*:')
_TOOLS = re.compile(rb'"(?:query_parameters|path_parameters|output_parameters)"\s*:')
_WHOLE = "result"
_PREFIX = "var"


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of a record; the last entry `var_result` contains the answer and has no label."""

    name: str
    arguments: dict[str, Plain]
    label: str | None = None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record to write; it has a `split` only if its file is not named after the split."""

    sample_id: str
    input: str
    output: list[Call]
    split: str = ""


def entry_of(example: Example, prefix: str = _PREFIX) -> Entry:
    """Convert an example to a record with calls and an answer.

    Without an answer, the results that no call uses are the answer.
    """
    calls = [
        Call(call.name, call.arguments, call.label.removeprefix("$"))
        for call in labelled_calls(example.calls, prefix)
    ]
    calls.append(Call(ANSWER, _answer(example, prefix)))
    split = "" if example.split in SPLITS else example.split
    return Entry(example.source_id, example.request or "", calls, split)


def _answer(example: Example, prefix: str) -> dict[str, Plain]:
    if isinstance(example.answer, dict):
        return {name: labelled_value(value, prefix) for name, value in example.answer.items()}
    if example.answer is not msgspec.UNSET:
        return {_WHOLE: labelled_value(example.answer, prefix)}
    used_results = {ref.step for ref in refs_of(example.calls)}
    return {
        f"var{index + 1}": f"${prefix}{index + 1}$"
        for index, call in enumerate(example.calls)
        if index not in used_results and call.outcome == "ok"
    }


class _NestfulWriter(LineWriter):
    def __init__(self, written_format: "_Nestful", folder: Path) -> None:
        super().__init__(written_format, folder)
        self._definitions: dict[str, ApiDefinition] = {}

    def add(self, example: Example) -> tuple[Loss, ...]:
        for definition in example.definitions:
            self._definitions.setdefault(definition.definition_id, definition)
        return super().add(example)

    def close(self) -> None:
        super().close()
        tools = [tool_of(definition) for definition in self._definitions.values()]
        write_json(self._folder / "spec.json", tools)


class _Nestful(LineFormat, Reading):
    title = "NESTFUL v1"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "answer_shape": "an answer that is not an object becomes the field `result` of an object",
        "no_call": "a record without calls cannot refer to its tools, so it is not written",
        "no_answer": "if no answer is recorded, the results that no later call uses are written",
        "offered_tools": "tools that no call uses are in the file of tools, not in a record",
    }

    def __init__(self) -> None:
        self._losses = LabelledLosses()

    def recognises(self, name: str, head: bytes) -> bool:
        if _RECORDS.search(head):
            return b'"arguments"' in head and not _OTHERS.search(head)
        return _TOOLS.search(head) is not None and not _OTHERS.search(head)

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        catalogue = Catalogue()
        rest: list[SourceObject] = []
        for source in objects:
            try:
                tools = [*_tools(source)]
            except RejectedInputError as error:
                yield rejected_file(source.source_uri, error)
                continue
            if not tools:
                rest.append(source)
                continue
            yield from tools
            definitions = [tool for tool in tools if not isinstance(tool, Rejected)]
            catalogue.add(source.source_uri, definitions)
        yield from read_each(rest, lambda record: _example(record, catalogue))

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        if not example.calls:
            return b"", (Loss("no_call", whole=True),)
        prefix = free_prefix(example, _PREFIX)
        losses = [*self._losses.of(example, prefix)]
        if example.answer is msgspec.UNSET:
            losses.append(Loss("no_answer"))
        elif not isinstance(example.answer, dict):
            losses.append(Loss("answer_shape"))
        used = {call.definition_id for call in example.calls}
        if any(definition.definition_id not in used for definition in example.definitions):
            losses.append(Loss("offered_tools"))
        return _ENCODER.encode(entry_of(example, prefix)), tuple(losses)

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _NestfulWriter(self, folder)


def _tools(source: SourceObject) -> Iterator[ApiDefinition | Rejected]:
    tools: list[ApiDefinition | Rejected] = []
    for record in iter_records(source):
        try:
            keys = record.decoded(_KEYS).keys()
        except RejectedInputError as error:
            tools.append(record.rejected(error))
            continue
        if "output" in keys or "input" in keys:
            return
        try:
            tools.append(_tool(record))
        except RejectedInputError as error:
            tools.append(record.rejected(error))
    if any(isinstance(tool, ApiDefinition) for tool in tools):
        yield from tools


def _tool(record: Record) -> ApiDefinition:
    with faults():
        tool = plain_of(record.content)
    if not isinstance(tool, dict):
        raise RejectedInputError(
            "wrong_shape", "a tool must be an object, not the text of its name"
        )
    return definition_of(tool, "nestful", record.source_uri)


def _example(record: Record, catalogue: Catalogue) -> Example:
    decoded = record.decoded(RECORD)
    with faults():
        tools = catalogue.of(record.source_uri)
        split = decoded.split or split_of(record.source_uri)
        return example_of_record(decoded, tools, "nestful", record, split=split)


FORMAT = _Nestful()
