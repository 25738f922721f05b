"""Define the parts of API-Bank's world, and functions that their tools share.

A part, such as alarms or hotels, has tables, their rows in the initial state, and tools.
"""

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
"""The key of an error text in `Databases.exceptions`: a tool's name and the index of its text."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of API-Bank's world, such as alarms or hotels.

    Args:
        schema: the SQL that creates the tables of the part.
        fill: a function that adds rows from the user's databases to the tables.
        tools: a mapping that includes the part's tools, such as the `globals()` of their module;
            everything else in the mapping is ignored.
        descriptions: a mapping from names of arguments to default descriptions.
        looks_up: a function that returns further tools, which read the databases passed to it
            instead of tables.
        frozen: tables that no tool changes.
        sets: columns ("table.column") with JSON lists whose order has no meaning.
        goals: a mapping from names of tools to phrases for their purposes, as in `World`.
        renamed: a mapping from each tool to its old parameter names, each with its current name.
        drawn_ids: a mapping from each tool that generates an id to the id's path in the result.
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
    """Return a function that copies a database into a table, for `Part.fill`.

    Each entry of the database becomes a row; the column `key` contains the entry's key.
    """

    def fill(state: State, databases: Databases) -> None:
        for name, row in database(databases).items():
            state.add(table, **{key: name}, **msgspec.structs.asdict(row))

    return fill


def user_of(state: State, token: str) -> str:
    """Return the name of the user with this token; raise `RefusedError` if nobody has the token."""
    rows = state.rows("SELECT username FROM accounts WHERE token = ?", token)
    if not rows:
        raise refused(state, "permission", ("CheckToken", 0), "the token is unknown")
    return str(rows[0]["username"])


def next_key(state: State, table: str, key: str) -> str:
    """Return the key for a new row: the largest number in the key column plus one, as a string."""
    rows = state.rows(f'SELECT max(CAST("{key}" AS INTEGER)) AS last FROM "{table}"')
    return str(int(rows[0]["last"] or 0) + 1)


def need(state: State, value: str, text_key: RefusalKey, ours: str) -> None:
    """Raise `RefusedError` if `value`, a required argument, is blank.

    `text_key` selects the error text in the user's copy of API-Bank, and `ours` is benchloom's
    wording, which replaces a missing text.
    """
    if not value.strip():
        raise refused(state, "invalid_argument", text_key, ours)


def moment(text: str, pattern: str = MOMENT) -> str:
    """Return a time in the form 2023-01-31 18:30:00, or as a day if `pattern` is `DAY`.

    Raises:
        RefusedError: the text does not match the pattern.
    """
    try:
        parsed = datetime.strptime(text.strip(), pattern)  # noqa: DTZ007  API-Bank has no time zones
    except ValueError as error:
        raise RefusedError("invalid_argument", str(error)) from error
    return parsed.date().isoformat() if pattern == DAY else parsed.isoformat(" ")


def as_moment(text: str) -> str:
    """Return a time as 2023-01-31 18:30:00; return a text that is not a time unchanged."""
    try:
        return moment(text)
    except RefusedError:
        return text


def refused(
    state: State, kind: RefusalKind, text_key: RefusalKey, ours: str, **values: str
) -> RefusedError:
    """Return the error to raise for a refused call.

    Its message is the text that `text_of` returns for `text_key` and `ours`; `values` replace
    placeholders such as `{time}` in this text.
    """
    text = text_of(state, text_key, ours)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return RefusedError(kind, text)


def text_of(state: State, text_key: RefusalKey, ours: str) -> str:
    """Return the error text with this key in the user's copy of API-Bank.

    If the copy has no such text, return `ours`, which is benchloom's own wording of the error.
    """
    rows = state.rows("SELECT text FROM texts WHERE tool = ? AND number = ?", *text_key)
    return str(rows[0]["text"]) if rows else ours


class UserTable:
    """A table whose rows belong to users; calls find a row by the value of one of its columns.

        ALARMS = UserTable("alarms", "alarm_id", {"time": (0, "no alarm at {time}")}, blank=0)
        ALARMS.find(state, "QueryAlarm", token, time="2023-01-31 18:30:00")

    Args:
        name: the name of the table; its rows have a column `username`.
        key: the column with the id of a row.
        criteria: the columns by which rows are found. Each column is mapped to the error that is
            raised if no row has the value: the index of this error among the tool's error texts,
            and benchloom's wording of the error.
        blank: the index, among the tool's error texts, of the error for a call in which the values
            of all these columns are blank.
    """

    def __init__(
        self, name: str, key: str, criteria: Mapping[str, tuple[int, str]], *, blank: int
    ) -> None:
        self.name, self.key = name, key
        self._criteria, self._blank = criteria, blank

    def find(self, state: State, tool: str, token: str, **values: str) -> Row:
        """Return the user's first row that has one of the values.

        The values are tried in the order of `criteria`; blank values match no row. Values of other
        columns only fill placeholders in messages. `tool` is the tool whose error texts are used.

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
        """Write the values that are not empty to a row; return `SUCCESS`."""
        updates = {name: value for name, value in values.items() if value}
        state.change(self.name, {self.key: row[self.key]}, **updates)
        return SUCCESS

    def remove(self, state: State, tool: str, token: str, **values: str) -> str:
        """Remove the row that `find` returns for the same arguments; return `SUCCESS`."""
        row = self.find(state, tool, token, **values)
        state.remove(self.name, **{self.key: row[self.key]})
        return SUCCESS
