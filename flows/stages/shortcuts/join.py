"""Stage evaluation split: shortcuts joined with the definitions of their APIs.

Reads normalised shortcuts and a catalogue; writes `shortcuts` (their workflow with the
summaries of the APIs filled in), `definition_checks` and `apps`, and copies `api_definitions`
(with our own definitions of control actions), `conflicts` and the `rejected` of both, so that
its folder alone makes a release. A shortcut that is left out of the evaluation split keeps its
row in `shortcuts` and gets one in `rejected` with the reason.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from benchloom.core.identity import tagged_digest
from benchloom.core.records import DefinitionCheck, Rejected, Shortcut
from benchloom.core.records.rejected import rejected_order
from benchloom.normalise.definitions.app_flags import AppFlags, read_flags
from benchloom.normalise.definitions.app_table import AppCounts, Call
from benchloom.normalise.definitions.control_definitions import complete_definitions, load_index
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.storage.tables import iter_records, open_parquet
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import rows_of
from flows.run.stage import Stage
from flows.stages.shortcuts.definition_join import STAGE, exclusion_row, joined

COUNTED = ("shortcut_id", "source_uri", "evaluation_reasons")
CALL = ("app", "identifier", "definition_id")


class Catalogue(NamedTuple):
    """The folder of the definitions, and the operator's flags of apps."""

    folder: Path
    flags: Mapping[str, AppFlags]


def prepare(
    shortcuts: FinishedStage, catalogue: FinishedStage, app_file: Path
) -> Stage[Catalogue, Path]:
    """Build the stage over finished shortcuts and definitions.

    `app_file` is the operator's file about apps; it need not exist.
    """
    return Stage(
        name=STAGE,
        subject="normalised/evaluation",
        reads=rows_of(shortcuts, "shortcuts", catalogue),
        also=[
            catalogue,
            tagged_digest("file", app_file.read_bytes()) if app_file.is_file() else "",
        ],
        tables=("shortcuts", "definition_checks"),
        shared=partial(Catalogue, catalogue.path, read_flags(app_file)),
        make=EachShortcut(Shortcut, ("shortcuts", "definition_checks"), join_rows),
        close=partial(write_other_tables, shortcuts.path),
        balance=("shortcuts",),
        keeps_rejected=True,
    )


def join_rows(catalogue: Catalogue, shortcut: Shortcut) -> tuple[Shortcut, DefinitionCheck]:
    """Return the joined shortcut, and its check against the definitions."""
    return joined(shortcut, _index(catalogue.folder), catalogue.flags)


@lru_cache(maxsize=1)
def _index(catalogue: Path) -> DefinitionIndex:
    """Load the definitions once per process; a finished stage is never written again."""
    return load_index(catalogue)


def write_other_tables(shortcuts: Path, catalogue: Catalogue, output: Output) -> None:
    """Write the apps of all shortcuts, the catalogue, and all rejected rows."""
    counts = AppCounts()
    for part in output.parts("shortcuts"):
        rejected = []
        for row in _counted_rows(part):
            counts.add(row.calls)
            if row.exclusions:
                rejected.append(exclusion_row(row.shortcut_id, row.source_uri, row.exclusions))
        for rejected_row in sorted(rejected, key=rejected_order):
            output.reject(rejected_row)
    output.objects = 0  # each was counted with its row
    for app in counts.table(catalogue.flags):
        output.add("apps", app)
    output.copy("conflicts", catalogue.folder)
    for definition in complete_definitions(catalogue.folder):
        output.add("api_definitions", definition)
    folders = (shortcuts, catalogue.folder)
    earlier = (iter_records(folder, "rejected", Rejected, 4096) for folder in folders)
    output.reject_sorted((), chain.from_iterable(earlier))
    _index.cache_clear()


class _CountedRow(NamedTuple):
    """The fields of a joined shortcut that are counted."""

    shortcut_id: str
    source_uri: str
    exclusions: list[str]
    calls: list[Call]


def _counted_rows(part: Path) -> Iterator[_CountedRow]:
    """Read the counted fields of joined shortcuts, column by column."""
    columns = [*COUNTED, *(f"actions.list.element.{name}" for name in CALL)]
    with open_parquet(part, "shortcuts") as file:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group, columns=columns, use_threads=False)
            idents, uris, reasons = (rows.column(name).to_pylist() for name in COUNTED)
            actions = pa.concat_arrays(rows.column("actions").chunks)
            flat = actions.flatten()
            calls = list(zip(*(flat.field(name).to_pylist() for name in CALL), strict=True))
            bounds = [offset - actions.offsets[0].as_py() for offset in actions.offsets.to_pylist()]
            for at, row in enumerate(zip(idents, uris, reasons, strict=True)):
                yield _CountedRow(*row, calls[bounds[at] : bounds[at + 1]])
