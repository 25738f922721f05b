"""The index of a stage folder's definitions."""

from pathlib import Path

from benchloom.normalise.definitions.control_definitions import control_definitions
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.records import ApiDefinition
from benchloom.tables import iter_records


def load_index(catalogue: Path) -> DefinitionIndex:
    """The definitions of a catalogue, ours of the control actions where it has none."""
    definitions = iter_records(catalogue, "api_definitions", ApiDefinition)
    return DefinitionIndex([*definitions, *control_definitions()])
