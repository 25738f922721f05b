"""The index of a stage folder's definitions, and the definitions that a release shows of it."""

from collections.abc import Iterator
from heapq import merge
from pathlib import Path

from benchloom.normalise.definitions.control_definitions import control_definitions
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.records import ApiDefinition
from benchloom.tables import iter_records


def load_index(catalogue: Path) -> DefinitionIndex:
    """The definitions of a catalogue, ours of the control actions where it has none."""
    definitions = iter_records(catalogue, "api_definitions", ApiDefinition)
    return DefinitionIndex([*definitions, *control_definitions()])


def shown_definitions(catalogue: Path, index: DefinitionIndex) -> Iterator[ApiDefinition]:
    """The catalogue, and our own definitions where nothing else defines the API, in order."""
    own = [found for found in control_definitions() if index.find(found.api) == found]
    return merge(
        iter_records(catalogue, "api_definitions", ApiDefinition),
        sorted(own, key=_order),
        key=_order,
    )


def _order(row: ApiDefinition) -> tuple[str, str]:
    return row.api, row.definition_id
