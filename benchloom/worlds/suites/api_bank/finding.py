"""Find a row of a user by any of several columns, as API-Bank does."""

from collections.abc import Sequence

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.refusing import RefusalKey, refused


class Criterion(msgspec.Struct, frozen=True):
    """The required value of a column (blank for any), and the refusal if no row has it."""

    column: str
    value: str
    told: RefusalKey
    ours: str


def first_match(
    state: State,
    table: str,
    username: str,
    criteria: Sequence[Criterion],
    *,
    neither: RefusalKey,
    **slots: str,
) -> Row:
    """Return the first row that matches the first criterion, else the second and so on.

    `slots` are further values for placeholders of the refusal.

    Raises:
        RefusedError: all criteria are blank, or no row matches any of them.
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
