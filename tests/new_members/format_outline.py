"""Outlines: the calls of a plan in order, each with what it is given."""

from collections.abc import Mapping

import msgspec

from benchloom.formats.api_description import ApiDescription
from benchloom.records import PlanningPath

_ENCODER = msgspec.json.Encoder()


def write_line(path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:
    """One line of the export."""
    calls = [
        {
            "call": f"{step.app}.{step.api}",
            "known": step.definition_id in apis,
            "given": [[argument.name, argument.value] for argument in step.arguments],
        }
        for step in path.steps
    ]
    return _ENCODER.encode({"outline": path.path_id, "calls": calls})
