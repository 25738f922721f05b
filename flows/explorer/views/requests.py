"""Prepare the list of requests; each text is beside the first steps of what it is about."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.records import Query
from benchloom.release.descriptions.plans import PlanRow, path_row, shortcut_row
from flows.explorer.errors import VersionError

FIRST_STEPS = 6
"""Number of steps of a row that the list shows."""
SUBJECTS = {
    "shortcuts": ("shortcut_id", "/shortcut", shortcut_row),
    "planning_paths": ("path_id", "/plan", path_row),
}
"""For each table that texts are about, its id column, the page of a row, and the function that
converts a row."""


class Subject(msgspec.Struct, frozen=True):
    """The row that a text is about, and the page of this row."""

    page: str
    row: PlanRow

    @property
    def steps(self) -> Sequence[Any]:
        """The first steps of the row, as many as the list shows."""
        return self.row.steps[:FIRST_STEPS]

    @property
    def more(self) -> int:
        """The number of steps that the list omits."""
        return len(self.row.steps) + self.row.more - len(self.steps)


class RequestView(msgspec.Struct, frozen=True):
    """A text, and the row that it is about, or None if the release lacks this row."""

    query: Query
    subject: Subject | None


def subjects_of(table: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Subject]:
    """Return a mapping from the id of each row to the row as the subject of texts.

    Raises:
        VersionError: the rows have the columns of another version of benchloom.
    """
    column, page, read = SUBJECTS[table]
    try:
        return {row[column]: Subject(page, read(dict(row))) for row in reversed(rows)}
    except (KeyError, TypeError, AttributeError) as error:
        raise VersionError(table, error) from error
