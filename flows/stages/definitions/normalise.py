"""The stage `normalise` of API definitions merges all parsed definitions into one catalogue.

It reads the `api_definitions` and `rejected` tables of any number of folders (definition files,
converted dialogues) and writes `api_definitions`, `conflicts` and `rejected`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.normalise.definitions.catalogue import Catalogue, build_catalogue
from benchloom.normalise.definitions.control_definitions import with_control_actions
from benchloom.storage.tables import iter_records, row_count, table_parts
from benchloom.storage.tables.output import Tables
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import all_rows_of
from flows.run.stage import Stage, nothing_shared

STAGE = "normalise-definitions"
TABLES = ("api_definitions", "conflicts", "rejected")


def prepare(parsed: Sequence[FinishedStage]) -> Stage[None, tuple[Path, ...]]:
    """Build the stage that merges parsed definitions into one catalogue."""
    return Stage(
        name=STAGE,
        subject="normalised/catalogue",
        reads=all_rows_of(parsed, "api_definitions"),
        tables=TABLES,
        shared=nothing_shared,
        make=normalise_definitions,
        balance=(),
    )


def normalise_definitions(_: None, parsed: Sequence[Path], output: Output) -> None:
    """Write the catalogue in one shard, because each API is compared with all other APIs."""
    catalogue = write_catalogue(parsed, output)
    output.merged = catalogue.merged
    output.objects = len(catalogue.definitions) + catalogue.merged
    parts = (part for folder in parsed for part in table_parts(folder, "api_definitions"))
    output.inputs = sum(map(row_count, parts))


def write_catalogue(parsed: Sequence[Path], tables: Tables) -> Catalogue:
    """Merge the definitions in folders into one catalogue, and write its tables.

    The rejected rows of the folders are copied.
    """
    catalogue = build_catalogue(with_control_actions(read_definitions(parsed)))
    tables.add_all("api_definitions", catalogue.definitions)
    tables.add_all("conflicts", catalogue.conflicts)
    rejected = (row for folder in parsed for row in iter_records(folder, "rejected", Rejected))
    tables.reject_sorted((), rejected)
    return catalogue


def read_definitions(folders: Sequence[Path]) -> Iterator[ApiDefinition]:
    """Yield the API definitions in several folders, one folder after another."""
    for folder in folders:
        yield from iter_records(folder, "api_definitions", ApiDefinition)
