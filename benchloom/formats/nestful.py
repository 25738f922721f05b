"""NESTFUL v1: calls labelled var1, var2, ... with references `$var1.field$`, and `var_result`.

`input` stays empty: it is the instruction, which the generation stage writes.
"""

from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription
from benchloom.records import PlanningPath

_ENCODER = msgspec.json.Encoder()


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call; the closing `var_result` has no label."""

    name: str
    arguments: dict[str, str]
    label: str | None = None


class Record(msgspec.Struct, frozen=True):
    """One line of the export."""

    sample_id: str
    input: str
    output: list[Call]


def record_of(path: PlanningPath) -> Record:
    """A plan as a record; what no later call takes is the result."""
    calls = [
        Call(
            f"{step.app}.{step.api}",
            {
                a.name: a.value if a.from_step is None else f"$var{a.from_step + 1}.{a.output}$"
                for a in step.arguments
            },
            f"var{step.index + 1}",
        )
        for step in path.steps
    ]
    taken = {edge.from_step for edge in path.edges}
    results = {
        f"var{step.index + 1}": f"$var{step.index + 1}$"
        for step in path.steps
        if step.index not in taken and step.outcome == "ok"
    }
    calls.append(Call("var_result", results))
    return Record(path.source_id, "", calls)


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:  # noqa: ARG001
    """One line of the export; v1 keeps its specification in a file of its own."""
    return _ENCODER.encode(record_of(path))
