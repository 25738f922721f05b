"""Deterministic export formats, one module per format.

A format module offers `NAME`, the value of `--format`, and `write_line(path, apis)`: one plan as
one JSON line without its line break. `apis` describes the plan's definitions, for formats that
carry the tools along.
"""

from collections.abc import Mapping
from functools import cache
from typing import Protocol, cast

from benchloom.errors import RunError
from benchloom.formats.api_description import ApiDescription
from benchloom.members import member_modules
from benchloom.records import PlanningPath


class Format(Protocol):
    """What a format module offers."""

    NAME: str

    def write_line(self, path: PlanningPath, apis: Mapping[str, ApiDescription]) -> bytes:
        """One plan as one line; `apis` is by `Step.definition_id`."""
        ...


@cache
def formats() -> dict[str, Format]:
    """Every format by name.

    Raises:
        RunError: two modules share a name.
    """
    found: dict[str, Format] = {}
    for _, member in member_modules(__name__, __path__):
        if not hasattr(member, "write_line"):
            continue
        if member.NAME in found:
            raise RunError(f"two formats are called '{member.NAME}'")
        found[member.NAME] = cast("Format", member)
    return found


def format_named(name: str) -> Format:
    """The format called `name`.

    Raises:
        RunError: no such format; the message lists the known ones.
    """
    if name not in formats():
        raise RunError(f"unknown format '{name}'; known: parquet, {', '.join(sorted(formats()))}")
    return formats()[name]
