"""The format of NESTFUL, version 2, in which each record contains its tools.

Calls are labelled `$var_1`, `$var_2` and so on, and references are texts such as `$var_1.field$`.
`output`, `tools` and `gold_answer` may be JSON in a text, as on the Hub. `gold_answer` is null if
no answer is recorded, as for every dialogue. benchloom adds `split`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain, refs_in
from benchloom.exchange.examples import Call as ExampleCall
from benchloom.exchange.examples import Example, Finding, Loss
from benchloom.exchange.foreign.labelled_records import (
    RECORD,
    LabelledRecord,
    example_of_record,
    plain_of,
    unwrapped,
)
from benchloom.exchange.foreign.labels import free_prefix
from benchloom.exchange.foreign.losses import LOSSES, LabelledLosses, labelled_value
from benchloom.exchange.foreign.records import Record, faults, read_each
from benchloom.exchange.foreign.specifications import Tool, call_name, definition_of, tool_of
from benchloom.exchange.formats.base import SPLITS, LineFormat, Read, Reading, split_of
from benchloom.storage.inputs import SourceObject

_ENCODER = msgspec.json.Encoder()
_RAWS = msgspec.json.Decoder(list[msgspec.Raw])
_RECORDS = re.compile(rb'"output"\s*:\s*"?\[')
_TOOLS = re.compile(rb'"(?:tools|gold_answer)"\s*:')
_PREFIX = "var_"
SOURCE_KIND = "nestful"  # as in version 1, so that equal tools have equal ids


class Call(msgspec.Struct, frozen=True):
    """A labelled call in a record."""

    name: str
    label: str
    arguments: dict[str, Plain]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record to write; it has a `split` only if its file is not named after the split."""

    sample_id: str
    input: str
    output: list[Call]
    tools: list[Tool]
    gold_answer: Plain
    split: str = ""


def labelled_calls(calls: Sequence[ExampleCall], prefix: str) -> list[Call]:
    """Convert calls to labelled calls, in which references are written as labels."""
    return [
        Call(
            call_name(call.app, call.api),
            f"${prefix}{index + 1}",
            {argument.name: labelled_value(argument.value, prefix) for argument in call.arguments},
        )
        for index, call in enumerate(calls)
    ]


def entry_of(example: Example, prefix: str = _PREFIX) -> Entry:
    """Convert an example to a record with its calls, its tools and its answer."""
    calls = labelled_calls(example.calls, prefix)
    tools = [tool_of(definition, "output_parameter") for definition in example.definitions]
    split = "" if example.split in SPLITS else example.split
    request = example.request or ""
    return Entry(example.source_id, request, calls, tools, _gold(example), split)


def _gold(example: Example) -> Plain:
    answer = example.answer
    if answer is msgspec.UNSET or any(refs_in(answer)):
        return None
    return labelled_value(answer, "")


class _NestfulV2(LineFormat, Reading):
    title = "NESTFUL v2"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "answer_of_results": "an answer that refers to results is not written",
        "null_answer": "an answer of null is read back as a missing answer",
    }

    def __init__(self) -> None:
        self._losses = LabelledLosses("output_parameter")

    def recognises(self, name: str, head: bytes) -> bool:
        return bool(
            b'"api_name"' not in head
            and (b"arguments" in head or b'"gold_answer"' in head)
            and _RECORDS.search(head)
            and _TOOLS.search(head)
        )

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        tools = _Tools()
        for row in read_each(objects, lambda record: _example(record, tools)):
            if isinstance(row, Example):
                yield from tools.new(row.definitions)
            yield row

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        prefix = free_prefix(example, _PREFIX)
        losses = [*self._losses.of(example, prefix)]
        if example.answer is None:
            losses.append(Loss("null_answer"))
        elif example.answer is not msgspec.UNSET and any(refs_in(example.answer)):
            losses.append(Loss("answer_of_results"))
        return _ENCODER.encode(entry_of(example, prefix)), tuple(losses)


class _Tools:
    """Converts tools to definitions, each only once, as most records have the same tools."""

    def __init__(self) -> None:
        self._tools_by_bytes: dict[tuple[str, bytes], ApiDefinition] = {}
        self._returned_ids: set[str] = set()

    def read(self, raw: bytes, source_uri: str) -> ApiDefinition:
        key = (source_uri, raw)
        if key not in self._tools_by_bytes:
            tool = plain_of(raw)
            if not isinstance(tool, dict):
                raise RejectedInputError("wrong_shape", "a tool must be an object")
            digest = tagged_digest("tool", raw)
            self._tools_by_bytes[key] = definition_of(tool, SOURCE_KIND, source_uri, digest)
        return self._tools_by_bytes[key]

    def new(self, definitions: Sequence[ApiDefinition]) -> Iterator[ApiDefinition]:
        for definition in definitions:
            if definition.definition_id not in self._returned_ids:
                self._returned_ids.add(definition.definition_id)
                yield definition


def _example(record: Record, tool_cache: _Tools) -> Example:
    decoded = record.decoded(RECORD)
    with faults():
        tools, repeated = _tools(decoded, record, tool_cache)
        split = decoded.split or split_of(record.source_uri)
        example = example_of_record(decoded, tools, "nestful-v2", record, split=split)
        gold = _gold_answer(decoded)
    used = {definition.definition_id for definition in example.definitions}
    offered = tuple(
        definition for definition in tools.values() if definition.definition_id not in used
    )
    return replace(
        example,
        definitions=(*example.definitions, *offered),
        answer=example.answer if gold is None else gold,
        findings=(*example.findings, *repeated),
    )


def _gold_answer(record: LabelledRecord) -> Plain:
    # If `output` or `tools` is JSON in a text, a text here is JSON as well.
    gold = plain_of(record.gold_answer)
    if isinstance(gold, str) and any(
        bytes(raw_json).startswith(b'"') for raw_json in (record.output, record.tools)
    ):
        try:
            return plain_of(gold.encode())
        except (msgspec.DecodeError, UnicodeEncodeError):
            return gold
    return gold


def _tools(
    record: LabelledRecord, source_record: Record, tool_cache: _Tools
) -> tuple[dict[str, ApiDefinition], list[Finding]]:
    tool_definitions: dict[str, ApiDefinition] = {}
    repeated: list[Finding] = []
    content = unwrapped(record.tools)
    for raw in () if content == b"null" else _RAWS.decode(content):
        tool = tool_cache.read(bytes(raw), source_record.source_uri)
        first = tool_definitions.setdefault(tool.api, tool)
        if first.definition_id != tool.definition_id:
            repeated.append(Finding("repeated_tool", tool.api))
    return tool_definitions, repeated


FORMAT = _NestfulV2()
