"""The stage `evaluation-split` joins shortcuts with the definitions of their APIs.

It reads normalised shortcuts and a catalogue of definitions. It writes `shortcuts` (their workflow
with the summaries of the APIs filled in), `definition_checks` and `apps`. It also copies
`api_definitions` (with our own definitions of control actions), `conflicts` and the `rejected` of
both inputs, so that its folder alone makes a release. A shortcut that is left out of the evaluation
split keeps its row in `shortcuts` and gets a row in `rejected` with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyarrow as pa

from benchloom.core.identity import tagged_digest
from benchloom.core.records import (
    Action,
    ActionDefinition,
    DefinitionCheck,
    Rejected,
    Shortcut,
    rejected_order,
)
from benchloom.normalise.definitions import DefinitionIndex
from benchloom.normalise.definitions.app_table import AppCounts, AppFlags, Call, read_flags
from benchloom.normalise.definitions.control_definitions import complete_definitions, load_index
from benchloom.normalise.redaction import redact_text
from benchloom.normalise.shortcuts.splits import find_exclusions, find_faults, first_reason
from benchloom.storage.tables import iter_records, open_parquet
from flows.run.each import EachShortcut
from flows.run.finished import FinishedStage
from flows.run.output import Output
from flows.run.reads import rows_of
from flows.run.stage import Stage
from parsers.shortcuts.arguments import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls

STAGE = "evaluation-split"


def joined(
    shortcut: Shortcut, index: DefinitionIndex, flags: Mapping[str, AppFlags]
) -> tuple[Shortcut, DefinitionCheck]:
    """Return a shortcut joined with its actions' definitions, and its check against these."""
    check = check_of(shortcut, index, flags)
    actions = with_implicit_inputs(shortcut, index.find)
    text = describe_calls(actions, index.find)
    # A filled summary joins values of several parameters, which may form a secret. An equal text
    # was already redacted by the stage enrich.
    is_same = text == shortcut.workflow
    row = msgspec.structs.replace(
        shortcut,
        actions=_with_definitions(actions, check.actions),
        workflow=text if is_same else redact_text(text, rendered=True).text,
        evaluation=not check.exclusions,
        evaluation_reasons=check.exclusions,
    )
    return row, check


def exclusion_row(shortcut_id: str, source_uri: str, exclusions: Sequence[str]) -> Rejected:
    """Return a rejected row with the reasons why a shortcut is not in the evaluation split."""
    message = f"not in the evaluation split: {', '.join(exclusions)}"
    return Rejected(STAGE, source_uri, first_reason(exclusions), message, shortcut_id)


def check_of(
    shortcut: Shortcut, index: DefinitionIndex, flags: Mapping[str, AppFlags]
) -> DefinitionCheck:
    """Return the findings of a shortcut's check against the definitions of its actions."""
    action_definitions = tuple(index.join(action) for action in shortcut.actions)
    exclusions = find_exclusions(shortcut, index, flags)
    findings = find_faults(shortcut, action_definitions, index)
    return DefinitionCheck(
        shortcut.shortcut_id,
        shortcut.source_digest,
        shortcut.source_uri,
        not exclusions,
        exclusions,
        not findings,
        findings,
        action_definitions,
    )


def _with_definitions(
    actions: Sequence[Action], definitions: Sequence[ActionDefinition]
) -> tuple[Action, ...]:
    return tuple(
        msgspec.structs.replace(action, definition_id=definition.definition_id)
        for action, definition in zip(actions, definitions, strict=True)
    )


COUNTED = ("shortcut_id", "source_uri", "evaluation_reasons")
CALL = ("app", "identifier", "definition_id")


class Catalogue(NamedTuple):
    """The folder with the API definitions, and the flags that the operator has set for apps."""

    folder: Path
    flags: Mapping[str, AppFlags]


def prepare(
    shortcuts: FinishedStage, catalogue: FinishedStage, app_file: Path
) -> Stage[Catalogue, Path]:
    """Build the stage that joins finished shortcuts with finished definitions.

    `app_file` is the operator's file about apps; it need not exist.
    """
    return Stage(
        name=STAGE,
        subject="normalised/evaluation",
        reads=rows_of(shortcuts, "shortcuts", catalogue),
        also=[
            catalogue.key,
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
    """Load the definitions once per process, because a finished stage is never written again."""
    return load_index(catalogue)


def write_other_tables(shortcuts: Path, catalogue: Catalogue, output: Output) -> None:
    """Write the counts of apps, the catalogue of definitions, and all rejected rows."""
    counts = AppCounts()
    for part in output.parts("shortcuts"):
        rejected = []
        for row in _read_counted_rows(part):
            counts.add(row.calls)
            if row.exclusions:
                rejected.append(exclusion_row(row.shortcut_id, row.source_uri, row.exclusions))
        for rejected_row in sorted(rejected, key=rejected_order):
            output.reject(rejected_row)
    output.objects = 0  # each shortcut is counted with its row
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
    """The fields of a joined shortcut that the stage counts or copies to rejected rows."""

    shortcut_id: str
    source_uri: str
    exclusions: list[str]
    calls: list[Call]


def _read_counted_rows(part: Path) -> Iterator[_CountedRow]:
    columns = [*COUNTED, *(f"actions.list.element.{name}" for name in CALL)]
    with open_parquet(part, "shortcuts") as file:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group, columns=columns, use_threads=False)
            ids, uris, reasons = (rows.column(name).to_pylist() for name in COUNTED)
            actions = pa.concat_arrays(rows.column("actions").chunks)
            flat = actions.flatten()
            calls = list(zip(*(flat.field(name).to_pylist() for name in CALL), strict=True))
            bounds = [offset - actions.offsets[0].as_py() for offset in actions.offsets.to_pylist()]
            for at, row in enumerate(zip(ids, uris, reasons, strict=True)):
                yield _CountedRow(*row, calls[bounds[at] : bounds[at + 1]])
