"""Deterministic export formats, one module per format; its name is the value of `--format`.

A format module offers `write_line(path, apis)`: one plan as one JSON line without its line break.
`apis` describes the plan's definitions, for formats that carry the tools along.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from benchloom.formats.api_description import ApiDescription
from benchloom.kinds import Kind
from benchloom.records import PlanningPath


@runtime_checkable
class Format(Protocol):
    """What a format module offers."""

    def write_line(self, path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:
        """One plan as one line; `apis` is by `Step.definition_id`."""
        ...


FORMATS = Kind("format", __name__, Format, dashed=True, beside=("api_description",))
