"""The format `jsonl`, which stores complete examples as JSON lines without any loss.

Values are JSON. An object with the key `$ref` is a reference to a result, an object with `$given`
is another value that is known only at run time, and an object with `$text` is a text that contains
such values. An object whose own keys begin with `$` is written as a list under the key `$members`.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import asdict, replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.core.records.planning_path import Mode
from benchloom.core.records.values import MAX_DEPTH, Plain, Value, depth_of, from_plain, to_plain
from benchloom.exchange.examples import Argument, Call, Example, Finding, Loss, Result, Turn
from benchloom.exchange.examples.example import RejectedText
from benchloom.exchange.foreign.records import Record, faults, read_each
from benchloom.exchange.formats.base import LineFormat, Read, Reading
from benchloom.storage.inputs import SourceObject

VERSION = 1
_HEAD = b'{"benchloom_example":'
_DEEPEST = 4 * MAX_DEPTH  # as `$members`, a level of a value becomes several levels of JSON
_ENCODER = msgspec.json.Encoder(order="deterministic")
_ABSENT = msgspec.Raw()


class ArgumentLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON form of an `Argument` of an example."""

    name: str
    value: msgspec.Raw
    supplied: str | None = None


class ResultLine(msgspec.Struct, frozen=True):
    """The JSON form of the `Result` of a call in an example."""

    output: msgspec.Raw
    exception: str | None
    input: msgspec.Raw


class CallLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON form of a `Call` of an example."""

    app: str
    api: str
    arguments: tuple[ArgumentLine, ...]
    definition_id: str = ""
    returns: tuple[str, ...] = ()
    outcome: Literal["ok", "failed", "retried", "superseded"] = "ok"
    result: ResultLine | None = None
    depth: int = 0


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The JSON form of an `Example` (see `benchloom.exchange.examples`), which is one line."""

    benchloom_example: int  # version of the form
    example_id: str
    target_id: str
    source: str
    source_id: str
    source_uri: str
    split: str = ""
    request: str | None = None
    calls: tuple[CallLine, ...]
    definitions: tuple[ApiDefinition, ...] = ()
    turns: tuple[Turn, ...] = ()
    answer: msgspec.Raw = _ABSENT
    reference_mode: Mode = "flow"
    findings: tuple[Finding, ...] = ()
    oddities: tuple[str, ...] = ()
    shortcut: Shortcut | None = None
    rejected: RejectedText | None = None


_LINE = msgspec.json.Decoder(Line)


class _Jsonl(LineFormat, Reading):
    title = "Complete examples, one JSON line each"

    def recognises(self, name: str, head: bytes) -> bool:
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(_HEAD)

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        definitions: dict[str, ApiDefinition] = {}
        return read_each(objects, lambda record: _example(record, definitions))

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        return _ENCODER.encode(line_of(example)), ()


def line_of(example: Example) -> Line:
    """Convert an example to its JSON form."""
    fields = asdict(example) | {
        "benchloom_example": VERSION,
        "calls": tuple(map(_call_line, example.calls)),
        "answer": _ABSENT if example.answer is msgspec.UNSET else _raw(example.answer),
    }
    return Line(**fields)


def _call_line(call: Call) -> CallLine:
    result = call.result
    fields = asdict(call) | {
        "arguments": tuple(
            ArgumentLine(argument.name, _raw(argument.value), argument.supplied)
            for argument in call.arguments
        ),
        "result": None
        if result is None
        else ResultLine(_raw(result.output), result.exception, _raw(result.input)),
    }
    return CallLine(**fields)


def _raw(value: Value) -> msgspec.Raw:
    return msgspec.Raw(_ENCODER.encode(to_plain(value)))


def _example(record: Record, definitions_by_id: dict[str, ApiDefinition]) -> Example:
    line = record.decoded(_LINE)
    if line.benchloom_example != VERSION:
        raise RejectedInputError(
            "other_version",
            f"the line has version {line.benchloom_example} of the format, but only version "
            f"{VERSION} can be read",
        )
    fields = asdict(line)
    del fields["benchloom_example"]
    with faults():
        fields |= {
            "source_uri": record.source_uri,
            "calls": tuple(map(_call, line.calls)),
            "definitions": tuple(
                _definition(definition, definitions_by_id, record.source_uri)
                for definition in line.definitions
            ),
            "answer": _value(line.answer) if bytes(line.answer) else msgspec.UNSET,
        }
    return Example(**fields)


def _definition(
    definition: ApiDefinition, definitions: dict[str, ApiDefinition], source_uri: str
) -> ApiDefinition:
    # Lineage ends at the export, because its own sources are not among our inputs.
    placed = replace(definition, source_uri=source_uri, source_digest="", sources=())
    first = definitions.setdefault(definition.definition_id, placed)
    if first != replace(placed, source_uri=first.source_uri):
        short_id = definition.definition_id[:80]
        raise RejectedInputError(
            "other_definition", f"an earlier line defines {short_id} differently"
        )
    return first


def _call(line: CallLine) -> Call:
    result = line.result
    fields = asdict(line) | {
        "result": None
        if result is None
        else Result(_value(result.output), result.exception, _value(result.input)),
        "arguments": tuple(
            Argument(argument.name, _value(argument.value), argument.supplied)
            for argument in line.arguments
        ),
    }
    return Call(**fields)


def _value(raw: msgspec.Raw) -> Value:
    plain: Plain = msgspec.json.decode(raw)
    if depth_of(plain) > _DEEPEST:
        raise RejectedInputError(
            "too_deep", f"the value is nested more than {MAX_DEPTH} levels deep"
        )
    value = from_plain(plain)
    if depth_of(value) > MAX_DEPTH:
        raise RejectedInputError(
            "too_deep", f"the value is nested more than {MAX_DEPTH} levels deep"
        )
    return value


FORMAT = _Jsonl()
