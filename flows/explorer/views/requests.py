"""Prepare requests for their list: each text beside the first steps of the row it is about."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.records import Query
from benchloom.release.descriptions.plans import PlanRow, path_row, shortcut_row
from flows.explorer.errors import VersionError

FIRST_STEPS = 6
"""Steps of a row that a list shows."""
SUBJECTS = {
    "shortcuts": ("shortcut_id", "/shortcut", shortcut_row),
    "planning_paths": ("path_id", "/plan", path_row),
}
"""Tables that texts are about: the id column, the page of a row, the function that reads a row."""


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
    """A text with the row that it is about, which is None if the release lacks that row."""

    query: Query
    subject: Subject | None


def subjects_of(table: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Subject]:
    """Return rows of a table as subjects of texts; the keys are the ids that texts name.

    Raises:
        VersionError: the columns belong to another version.
    """
    column, page, read = SUBJECTS[table]
    try:
        return {row[column]: Subject(page, read(dict(row))) for row in reversed(rows)}
    except (KeyError, TypeError, AttributeError) as error:
        raise VersionError(table, error) from error
