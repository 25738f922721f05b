"""NESTFUL v2: labels `$var_1`, references `$var_1.field$`, and the tools beside the calls.

`gold_answer` is null where no answer is known: a dialogue's is not computed.
"""

import msgspec

from benchloom.examples import Example, Ref
from benchloom.formats.base import LineFormat, Loss
from benchloom.records import ApiDefinition
from benchloom.records.values import Plain, rendered

_ENCODER = msgspec.json.Encoder()


class Call(msgspec.Struct, frozen=True):
    """One call."""

    name: str
    label: str
    arguments: dict[str, Plain]


class Field(msgspec.Struct, frozen=True):
    """A parameter or output of a tool."""

    description: str
    type: str = "string"
    required: bool | None = None


class Tool(msgspec.Struct, frozen=True):
    """One tool the plan uses."""

    name: str
    description: str
    parameters: dict[str, Field]
    output_parameter: dict[str, Field]


class Record(msgspec.Struct, frozen=True):
    """One line of the export."""

    sample_id: str
    input: str
    output: list[Call]
    tools: list[Tool]
    gold_answer: None = None


def record_of(example: Example) -> Record:
    """An example as a record, with its tools."""
    calls = [
        Call(
            f"{call.app}.{call.api}",
            f"$var_{index + 1}",
            {one.name: rendered(one.value, _reference) for one in call.arguments},
        )
        for index, call in enumerate(example.calls)
    ]
    tools = [_tool(definition) for definition in example.definitions]
    return Record(example.source_id, example.request or "", calls, tools)


def _reference(ref: Ref) -> str:
    output = f".{ref.output}" if ref.output is not None else ""
    return f"$var_{ref.step + 1}{output}$"


def _tool(definition: ApiDefinition) -> Tool:
    name = f"{definition.app}.{definition.api}" if definition.app else definition.api
    parameters = {
        one.name: Field(one.description or "", required=one.optional is False)
        for one in definition.parameters
    }
    outputs = {one.name: Field(one.description or "") for one in definition.returns if one.name}
    return Tool(name, definition.description or "", parameters, outputs)


class NestfulV2(LineFormat):
    """NESTFUL v2."""

    title = "NESTFUL v2"

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """One example as a line."""
        return _ENCODER.encode(record_of(example)), ()


FORMAT = NestfulV2()
