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
    wanted: Sequence[Wanted],
    *,
    neither: Told,
    **slots: str,
) -> Row:
    """The first row that has the first column, else the second: an earlier column is surer.

    `slots` are further values that the text of a refusal may name.

    Raises:
        RefusedError: nothing is wanted, or no row has any of it.
    """
    told = [one for one in wanted if one.value.strip()]
    if not told:
        raise refused(state, "invalid_argument", neither, "nothing is said of what to look for")
    for one in told:
        query = f'SELECT * FROM "{table}" WHERE username = ? AND "{one.column}" = ? ORDER BY rowid'
        rows = state.rows(f"{query} LIMIT 1", username, one.value)
        if rows:
            return rows[0]
    values = {one.column: one.value for one in wanted}
    raise refused(state, "not_found", told[0].told, told[0].ours, **(values | slots))
