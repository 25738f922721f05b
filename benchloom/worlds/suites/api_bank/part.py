"""A part of API-Bank's world: tables, the rows that a copy's databases say, and tools."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

import msgspec

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import Cell, State
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.refusing import Told, refused

APP = "api_bank"
"""The app of the tools of levels 1 and 2."""
LEVEL_3 = "api_bank_3"
"""That of level 3, some of whose tools have the names of others."""
SUCCESS: Final = "success"
MOMENT = "%Y-%m-%d %H:%M:%S"
DAY = "%Y-%m-%d"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One part.

    Args:
        schema: its tables.
        fill: adds what the databases say.
        tools: functions by name, its tools among them.
        looks_up: those of them that are of a copy's databases, which they only look into.
        frozen: tables that no tool changes.
        sets: columns with lists whose order says nothing.
    """

    schema: str = ""
    fill: Callable[[State, Databases], None] = lambda _state, _databases: None
    tools: Mapping[str, object] = {}
    looks_up: Callable[[Databases], Mapping[str, object]] = lambda _databases: {}
    app: str = APP
    frozen: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


def user_of(state: State, token: str) -> str:
    """The user of a token.

    Raises:
        RefusedError: it is nobody's.
    """
    rows = state.rows("SELECT username FROM accounts WHERE token = ?", token)
    if not rows:
        raise refused(state, "permission", ("CheckToken", 0), "nobody has this token")
    return str(rows[0]["username"])


def next_key(state: State, table: str, key: str) -> str:
    """The number after the greatest one."""
    rows = state.rows(f'SELECT max(CAST("{key}" AS INTEGER)) AS last FROM "{table}"')
    return str(int(rows[0]["last"] or 0) + 1)


def need(state: State, value: str, text_key: Told, ours: str) -> None:
    """Refuse an argument that says nothing."""
    if not value.strip():
        raise refused(state, "invalid_argument", text_key, ours)


def moment(text: str, pattern: str = MOMENT) -> str:
    """A time as its pattern writes it.

    Raises:
        RefusedError: it is of another form.
    """
    try:
        read = datetime.strptime(text.strip(), pattern)  # noqa: DTZ007 - API-Bank has no zones
    except ValueError as error:
        raise RefusedError("invalid_argument", str(error)) from error
    return read.date().isoformat() if pattern == DAY else read.isoformat(" ")


def as_moment(text: str) -> str:
    """A time as it is kept, where it is one."""
    try:
        return moment(text)
    except RefusedError:
        return text


def shown(row: Mapping[str, Cell], *names: str) -> dict[str, Cell]:
    """Some columns of a row."""
    return {name: row[name] for name in names}
