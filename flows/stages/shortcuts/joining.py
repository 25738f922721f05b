"""Shortcuts held against the definitions of their APIs, one after another, or taken over joined."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.normalise.definitions.app_marks import AppMarks
from benchloom.normalise.definitions.app_table import AppCounts, Call, calls_of
from benchloom.normalise.definitions.index import DefinitionIndex
from benchloom.normalise.redaction import redact_text
from benchloom.normalise.shortcuts.evaluation_split import find_exclusions, first_reason
from benchloom.normalise.shortcuts.validity import find_faults
from benchloom.records import Action, ActionDefinition, DefinitionCheck, Rejected, Shortcut
from benchloom.tables import TableWriter, TakenRow
from parsers.shortcuts.implicit_inputs import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls

STAGE = "evaluation-split"
ACTION_BYTES = 200


class Joining:
    """Adds shortcuts to the tables of the join, and counts what only all of them tell."""

    def __init__(
        self,
        index: DefinitionIndex,
        marks: Mapping[str, AppMarks],
        rows: TableWriter,
        checks: TableWriter,
    ) -> None:
        self._index = index
        self._marks = marks
        self._rows = rows
        self._checks = checks
        self._told: _Told | None = None
        self.counts = AppCounts()
        self.left_out: list[Rejected] = []

    def make(self, shortcut: Shortcut) -> None:
        """Join a shortcut."""
        index = self._index
        check = check_of(shortcut, index, self._marks)
        joined, exclusions = check.actions, check.exclusions
        calls = calls_of(shortcut, joined)
        self._count(calls, shortcut.shortcut_id, shortcut.source_uri, exclusions)
        self._checks.add(check)
        actions = with_implicit_inputs(shortcut, index.find)
        text = describe_calls(actions, index.find)
        # Filled summaries put values side by side that the actions hold apart; a text without any
        # is as enriching left it, in which nothing is found any more.
        is_same = text == shortcut.workflow
        workflow = text if is_same else redact_text(text, rendered=True).text
        size = len(workflow) + ACTION_BYTES * shortcut.action_count
        self._rows.add(
            msgspec.structs.replace(
                shortcut,
                actions=_defined(actions, joined),
                workflow=workflow,
                evaluation=not exclusions,
                evaluation_reasons=exclusions,
            ),
            size,
        )

    def take(self, row: TakenRow, check: TakenRow) -> None:
        """Take over a shortcut that was joined before."""
        if self._told is None or self._told.rows is not row.rows:
            self._told = _told(row.rows)
        told = self._told
        start, stop = told.bounds[row.at : row.at + 2]
        self._count(
            told.calls[start:stop], told.idents[row.at], told.uris[row.at], told.reasons[row.at]
        )
        self._checks.add(check)
        self._rows.add(row, told.sizes[row.at])

    def _count(
        self, calls: Sequence[Call], ident: str, source_uri: str, exclusions: Sequence[str]
    ) -> None:
        self.counts.add(calls)
        if exclusions:
            self.left_out.append(exclusion_row(ident, source_uri, exclusions))


def exclusion_row(ident: str, source_uri: str, exclusions: Sequence[str]) -> Rejected:
    """Why a shortcut, which stays in `shortcuts`, is not in the evaluation split."""
    message = f"not in the evaluation split: {', '.join(exclusions)}"
    return Rejected(STAGE, source_uri, first_reason(exclusions), message, ident)


def check_of(
    shortcut: Shortcut, index: DefinitionIndex, marks: Mapping[str, AppMarks]
) -> DefinitionCheck:
    """What definitions say about a shortcut."""
    joined = tuple(index.join(action) for action in shortcut.actions)
    exclusions = find_exclusions(shortcut, index, marks)
    findings = find_faults(shortcut, joined, index)
    return DefinitionCheck(
        shortcut.shortcut_id,
        shortcut.source_digest,
        shortcut.source_uri,
        not exclusions,
        exclusions,
        not findings,
        findings,
        joined,
    )


class _Told(NamedTuple):
    """What some joined rows tell to whoever counts, column by column."""

    rows: pa.Table
    idents: list[str]
    uris: list[str]
    reasons: list[list[str]]
    sizes: list[int]
    calls: list[Call]
    bounds: list[int]


def _told(rows: pa.Table) -> _Told:
    names = ("shortcut_id", "source_uri", "evaluation_reasons")
    idents, uris, reasons = (rows.column(name).to_pylist() for name in names)
    counts = pc.multiply(rows.column("action_count").cast(pa.int64()), ACTION_BYTES)
    sizes = pc.add(counts, pc.utf8_length(rows.column("workflow")).cast(pa.int64()))
    actions = pa.concat_arrays(rows.column("actions").chunks)
    flat = actions.flatten()
    fields = (flat.field(name).to_pylist() for name in ("app", "identifier", "definition_id"))
    offsets = actions.offsets.to_pylist()
    return _Told(
        rows,
        idents,
        uris,
        reasons,
        sizes.to_pylist(),
        list(zip(*fields, strict=True)),
        [offset - offsets[0] for offset in offsets],
    )


def _defined(actions: Sequence[Action], joined: Sequence[ActionDefinition]) -> tuple[Action, ...]:
    """The actions with the ids of their definitions."""
    return tuple(
        msgspec.structs.replace(action, definition_id=found.definition_id)
        for action, found in zip(actions, joined, strict=True)
    )
