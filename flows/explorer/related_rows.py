"""Find the rows of other tables that belong to a row."""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from benchloom.core.records import ApiDefinition, Query, Verdict
from benchloom.core.records.texts import REQUEST_KINDS
from flows.explorer.database import identifier, select
from flows.explorer.open_release import OpenRelease, typed

MOST = 200
"""Maximum number of rows of another table on one page."""
MAX_VERDICTS = 10_000
R = TypeVar("R", bound=msgspec.Struct)
Row = dict[str, Any]
"""An untyped row of the database; its columns vary by release."""


class Written(msgspec.Struct, frozen=True):
    """A text about a row, with the decisions of checks and people to accept or reject it."""

    query: Query
    verdicts: tuple[Verdict, ...]

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The verdicts that reject the text."""
        return tuple(verdict for verdict in self.verdicts if not verdict.kept)


def rows_where(
    release: OpenRelease, table: str, column: str, values: Iterable[object], most: int = MOST
) -> list[Row]:
    """Return at most `most` rows of a table that have one of the values in a column.

    Return no rows if the release lacks the table or the column.
    """
    requested_values = list(dict.fromkeys(value for value in values if value is not None))[:2000]
    if (
        not requested_values
        or not release.has(table)
        or release.table(table).column(column) is None
    ):
        return []
    marks = ", ".join("?" * len(requested_values))
    statement = select("*", table, f"{identifier(column)} IN ({marks})", "LIMIT ?")
    return release.ask(statement, [*requested_values, most])


def records_where(
    release: OpenRelease,
    record: type[R],
    table: str,
    column: str,
    values: Iterable[object],
    *,
    most: int = MOST,
) -> list[R]:
    """Return at most `most` rows that have one of the values in a column, as records."""
    return typed(rows_where(release, table, column, values, most), record, table)


def definitions_of(release: OpenRelease, ids: Iterable[str | None]) -> dict[str, ApiDefinition]:
    """Return a mapping from id to definition, for the ids that the release contains."""
    definitions = records_where(release, ApiDefinition, "api_definitions", "definition_id", ids)
    return {definition.definition_id: definition for definition in definitions}


def written_about(release: OpenRelease, target: str) -> list[Written]:
    """Return the texts that models or templates wrote about a row, with the results of all checks.

    Texts that passed the checks come before texts that were dropped.
    """
    queries = records_where(release, Query, "queries", "target_id", [target])
    verdicts: dict[str, list[Verdict]] = {}
    query_ids = [query.query_id for query in queries]
    for verdict in records_where(
        release, Verdict, "verdicts", "target_id", query_ids, most=MAX_VERDICTS
    ):
        verdicts.setdefault(verdict.target_id, []).append(verdict)
    written_texts = [
        Written(
            source_query,
            tuple(sorted(verdicts.get(source_query.query_id, ()), key=lambda v: (v.kept, v.check))),
        )
        for source_query in queries
    ]
    return sorted(
        written_texts,
        key=lambda written_text: (
            not written_text.query.kept,
            written_text.query.kind not in REQUEST_KINDS,
            written_text.query.kind,
            written_text.query.query_id,
        ),
    )
