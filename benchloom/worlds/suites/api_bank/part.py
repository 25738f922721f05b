"""A part of API-Bank's world: tables, their rows from a copy's databases, and tools."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

import msgspec

from benchloom.worlds.state import Cell, RefusalKind, RefusedError, Row, State
from benchloom.worlds.suites.api_bank.databases import Databases

APP = "api_bank"
SUCCESS: Final = "success"
MOMENT = "%Y-%m-%d %H:%M:%S"
DAY = "%Y-%m-%d"
TEXTS_SCHEMA = """
CREATE TABLE texts (
    tool TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (tool, number)
) STRICT;
"""
TEXTS = "texts"
RefusalKey = tuple[str, int]
"""A refusal text of the copy, as the tool's name and the number of the text."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of API-Bank's world.

    Args:
        schema: its tables.
        fill: adds the rows of the databases.
        tools: the members of a module, including the tools.
        descriptions: default descriptions of the tools' arguments, by name.
        looks_up: builds the tools that only read the databases.
        frozen: tables that no tool changes.
        sets: columns with lists whose order has no meaning.
        goals: the purposes of the tools, by name; see `World`.
        renamed: the current names of old parameter names in recorded calls, by tool.
        drawn_ids: for each tool that generates an id, the path of the id in the result.
    """

    schema: str = ""
    fill: Callable[[State, Databases], None] = lambda _state, _databases: None
    tools: Mapping[str, object] = {}
    descriptions: Mapping[str, str] = {}
    looks_up: Callable[[Databases], Mapping[str, object]] = lambda _databases: {}
    frozen: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    goals: Mapping[str, str] = {}
    renamed: Mapping[str, Mapping[str, str]] = {}
    drawn_ids: Mapping[str, tuple[str, ...]] = {}


def fill_from(
    table: str, key: str, database: Callable[[Databases], Mapping[str, msgspec.Struct]]
) -> Callable[[State, Databases], None]:
    """Return a `fill` function that copies a database into a table; column `key` gets its keys."""

    def fill(state: State, databases: Databases) -> None:
        for name, row in database(databases).items():
            state.add(table, **{key: name}, **msgspec.structs.asdict(row))

    return fill


def user_of(state: State, token: str) -> str:
    """Return the user of a token; raise `RefusedError` if the token is unknown."""
    rows = state.rows("SELECT username FROM accounts WHERE token = ?", token)
    if not rows:
        raise refused(state, "permission", ("CheckToken", 0), "the token is unknown")
    return str(rows[0]["username"])


def next_key(state: State, table: str, key: str) -> str:
    """Return the successor of the largest key."""
    rows = state.rows(f'SELECT max(CAST("{key}" AS INTEGER)) AS last FROM "{table}"')
    return str(int(rows[0]["last"] or 0) + 1)


def need(state: State, value: str, text_key: RefusalKey, ours: str) -> None:
    """Refuse a call in which a required argument is blank."""
    if not value.strip():
        raise refused(state, "invalid_argument", text_key, ours)


def moment(text: str, pattern: str = MOMENT) -> str:
    """Return a time in standard form; raise `RefusedError` if it does not match the pattern."""
    try:
        parsed = datetime.strptime(text.strip(), pattern)  # noqa: DTZ007  API-Bank has no time zones
    except ValueError as error:
        raise RefusedError("invalid_argument", str(error)) from error
    return parsed.date().isoformat() if pattern == DAY else parsed.isoformat(" ")


def as_moment(text: str) -> str:
    """Convert a time to its standard form; return other texts unchanged."""
    try:
        return moment(text)
    except RefusedError:
        return text


def refused(
    state: State, kind: RefusalKind, text_key: RefusalKey, ours: str, **values: str
) -> RefusedError:
    """Return the error for a refused call; `values` fill the placeholders in its message."""
    text = text_of(state, text_key, ours)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return RefusedError(kind, text)


def text_of(state: State, text_key: RefusalKey, ours: str) -> str:
    """Return the error text of the user's copy, or `ours` if the copy has none."""
    rows = state.rows("SELECT text FROM texts WHERE tool = ? AND number = ?", *text_key)
    return str(rows[0]["text"]) if rows else ours


class UserTable:
    """A table of things that belong to users, which calls find by the values of some columns.

        ALARMS = UserTable("alarms", "alarm_id", {"time": (0, "no alarm at {time}")}, blank=0)
        ALARMS.find(state, "QueryAlarm", token, time="2023-01-31 18:30:00")

    Args:
        name: the name of the table; its rows have a column `username`.
        key: the column with the id of a row.
        criteria: the columns by which rows are found, each with the number of the refusal text for
            an unknown value, and our wording of it.
        blank: the number of the refusal text for a call that passes none of these values.
    """

    def __init__(
        self, name: str, key: str, criteria: Mapping[str, tuple[int, str]], *, blank: int
    ) -> None:
        self.name, self.key = name, key
        self._criteria, self._blank = criteria, blank

    def find(self, state: State, tool: str, token: str, **values: str) -> Row:
        """Return the user's first row with the first value, else with the second, and so on.

        Blank values match no row. Values of other columns only fill placeholders in refusals.

        Raises:
            RefusedError: the token is unknown, all values are blank, or no row has any of them.
        """
        username = user_of(state, token)
        usable = [name for name in self._criteria if values.get(name, "").strip()]
        if not usable:
            ours = "all search criteria are blank; pass at least one"
            raise refused(state, "invalid_argument", (tool, self._blank), ours)
        for column in usable:
            query = f'SELECT * FROM "{self.name}" WHERE username = ? AND "{column}" = ?'
            rows = state.rows(f"{query} ORDER BY rowid LIMIT 1", username, values[column])
            if rows:
                return rows[0]
        number, ours = self._criteria[usable[0]]
        raise refused(state, "not_found", (tool, number), ours, **values)

    def add(self, state: State, username: str, **values: Cell) -> str:
        """Add a row, whose id is derived from its values; return `SUCCESS`."""
        new_id = state.new_id(self.name, username, *values.values())
        state.add(self.name, **{self.key: new_id}, username=username, **values)
        return SUCCESS

    def change(self, state: State, row: Row, values: Mapping[str, str]) -> str:
        """Change the values that are not empty; return `SUCCESS`."""
        updates = {name: value for name, value in values.items() if value}
        state.change(self.name, {self.key: row[self.key]}, **updates)
        return SUCCESS

    def remove(self, state: State, tool: str, token: str, **values: str) -> str:
        """Remove the row that `find` returns; return `SUCCESS`."""
        row = self.find(state, tool, token, **values)
        state.remove(self.name, **{self.key: row[self.key]})
        return SUCCESS
