"""API-Bank, level 3: the APIs of a plan with their inputs.

`requirement` and `response` stay empty: they are texts, which the generation stage writes.
References are written as the value they carried, because the format has none.
"""

from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription
from benchloom.records import PlanningPath, Step

_ENCODER = msgspec.json.Encoder()


class Result(msgspec.Struct, frozen=True):
    """What API-Bank records of a call; `exception` tells a failed one."""

    api_name: str
    input: dict[str, str]
    output: None
    exception: str | None


class Call(msgspec.Struct, frozen=True):
    """One call."""

    api_name: str
    input: dict[str, str]
    output: Result


class Record(msgspec.Struct, frozen=True):
    """One line of the export; `sample_id` is the dialogue."""

    sample_id: str
    requirement: str
    response: str
    apis: list[Call]


def record_of(path: PlanningPath) -> Record:
    """A plan as a record."""
    return Record(path.source_id, "", "", [_call(step) for step in path.steps])


def _call(step: Step) -> Call:
    name = f"{step.app}.{step.api}"
    supplied = {argument.name: argument.value for argument in step.arguments}
    failed = "no result" if step.outcome in {"failed", "retried"} else None
    return Call(name, supplied, Result(name, supplied, None, failed))


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:  # noqa: ARG001
    """One line of the export; API-Bank keeps its specification in a file of its own."""
    return _ENCODER.encode(record_of(path))
