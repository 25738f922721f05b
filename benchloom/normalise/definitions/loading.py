"""The definitions of a stage folder, with the definitions that this project adds itself."""

from collections.abc import Iterator
from heapq import merge
from pathlib import Path

from benchloom.core.records import ApiDefinition
from benchloom.normalise.definitions.control_definitions import control_definitions
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.storage.tables import iter_records, read_rows, table_parts


def load_index(catalogue: Path) -> DefinitionIndex:
    """Index the definitions of a folder by API."""
    return DefinitionIndex(complete_definitions(catalogue))


def complete_definitions(catalogue: Path) -> Iterator[ApiDefinition]:
    """Yield the rows of a catalogue, and our control actions that it lacks, in order."""
    defined = _defined_apis(catalogue)
    missing = [row for row in control_definitions() if row.api not in defined]
    rows = iter_records(catalogue, "api_definitions", ApiDefinition)
    return merge(rows, sorted(missing, key=_order), key=_order)


def _defined_apis(catalogue: Path) -> set[object]:
    # A definition without an app cannot define a control action.
    apis: set[object] = set()
    for part in table_parts(catalogue, "api_definitions"):
        rows = read_rows(part, ["api", "app"])
        pairs = zip(rows.column("api").to_pylist(), rows.column("app").to_pylist(), strict=True)
        apis.update(api for api, app in pairs if app is not None)
    return apis


def _order(row: ApiDefinition) -> tuple[str, str]:
    return row.api, row.definition_id
