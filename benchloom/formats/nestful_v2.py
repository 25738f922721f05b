"""NESTFUL v2: labels `$var_1`, references `$var_1.field$`, and the tools beside the calls.

`input` stays empty: it is the instruction, which the generation stage writes. `gold_answer` is
null: a dialogue's answer is not computed.
"""

from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription, ParameterDescription
from benchloom.records import PlanningPath

_ENCODER = msgspec.json.Encoder()


class Call(msgspec.Struct, frozen=True):
    """One call."""

    name: str
    label: str
    arguments: dict[str, str]


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


def record_of(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> Record:
    """A plan as a record, with the tools of its steps in order of first use."""
    calls = [
        Call(
            f"{step.app}.{step.api}",
            f"$var_{step.index + 1}",
            {
                a.name: a.value if a.from_step is None else f"$var_{a.from_step + 1}.{a.output}$"
                for a in step.arguments
            },
        )
        for step in path.steps
    ]
    used = dict.fromkeys(step.definition_id for step in path.steps)
    return Record(path.source_id, "", calls, [_tool(apis[name]) for name in used])


def _tool(api: ApiDescription) -> Tool:
    return Tool(
        f"{api.app}.{api.api}", api.description, _fields(api.parameters), _fields(api.outputs)
    )


def _fields(parameters: tuple[ParameterDescription, ...]) -> dict[str, Field]:
    return {p.name: Field(p.description, required=p.required) for p in parameters}


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:
    """One line of the export."""
    return _ENCODER.encode(record_of(path, apis))
