"""Rows of a user that are found by any of some columns: API-Bank takes what is said for either."""

from collections.abc import Sequence

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.refusing import Told, refused


class Wanted(msgspec.Struct, frozen=True):
    """What a column shall be, nothing for any; and what is said where no row has it."""

    column: str
    value: str
    told: Told
    ours: str


def found_of(
    state: State,
    table: str,
    username: str,
    criteria: Sequence[Wanted],
    *,
    neither: Told,
    **slots: str,
) -> Row:
    """The first row that has the first column, else the second: an earlier column is surer.

    `slots` are further values that the text of a refusal may name.

    Raises:
        RefusedError: nothing is wanted, or no row has any of it.
    """
    usable_criteria = [criterion for criterion in criteria if criterion.value.strip()]
    if not usable_criteria:
        raise refused(state, "invalid_argument", neither, "nothing is said of what to look for")
    for criterion in usable_criteria:
        column = criterion.column
        query = f'SELECT * FROM "{table}" WHERE username = ? AND "{column}" = ? ORDER BY rowid'
        rows = state.rows(f"{query} LIMIT 1", username, criterion.value)
        if rows:
            return rows[0]
    values = {criterion.column: criterion.value for criterion in criteria}
    raise refused(
        state, "not_found", usable_criteria[0].told, usable_criteria[0].ours, **(values | slots)
    )
