"""Shared rules of tools: read times, search texts, convert rows to records, refuse, draw."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from itertools import islice
from typing import TypeVar

import msgspec

from benchloom.worlds.state import Cell, RefusalKind, RefusedError, Row, State

T = TypeVar("T", bound=msgspec.Struct)
M = TypeVar("M")
_MINUTES = 16
COUNT = 120
"""Number of people; the user is the first."""
USER = "p001"


def day(text: str) -> date:
    """Parse a day; raise `RefusedError` if no calendar has it."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is no day") from error


def moment(text: str) -> datetime:
    """Parse a time; raise `RefusedError` if it does not exist."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is no time") from error


def now(state: State) -> str:
    """The current minute, like 2027-03-15T09:00."""
    return state.now[:_MINUTES]


def today(state: State) -> str:
    """The current day."""
    return state.now[:10]


def from_today(state: State, text: str) -> date:
    """Parse a day; raise `RefusedError` if it does not exist or is over."""
    parsed_day = day(text)
    if text < today(state):
        raise RefusedError("invalid_argument", f"{text} is over; today is {today(state)}")
    return parsed_day


def future(state: State, text: str) -> datetime:
    """Parse a time; raise `RefusedError` if it does not exist or has passed."""
    parsed_moment = moment(text)
    if text <= now(state):
        raise RefusedError("invalid_argument", f"{text} has passed, it is {now(state)}")
    return parsed_moment


def in_days(column: str, since: str | None, until: str | None = None) -> dict[str, Cell]:
    """Return the conditions of a search for the days from one to another, where they are given."""
    return {
        f"{column} >= ?": day(since).isoformat() if since else None,
        f"{column} <= ?": day(until).isoformat() if until else None,
    }


def minutes(time: datetime) -> str:
    """Format a time as results and rows contain it."""
    return time.isoformat(timespec="minutes")


def says(part: str, *texts: Cell) -> bool:
    """Whether one of the texts contains a part, ignoring case."""
    folded_part = part.casefold()
    return any(folded_part in str(text).casefold() for text in texts if text is not None)


def matching(
    rows: Iterable[dict[str, Cell]], query: str, names: Sequence[str], limit: int | None = None
) -> list[dict[str, Cell]]:
    """Return the first rows that contain the query in one of the columns `names`."""
    matching_rows = (
        row for row in rows if not query or says(query, *(row[name] for name in names))
    )
    return list(islice(matching_rows, limit))


def changes(**fields: Cell) -> dict[str, Cell]:
    """Return the fields to change, those that are not None; booleans as 1 and 0.

    Raises:
        RefusedError: all fields are None.
    """
    updates: dict[str, Cell] = {
        name: int(value) if isinstance(value, bool) else value
        for name, value in fields.items()
        if value is not None
    }
    if not updates:
        raise RefusedError("invalid_argument", f"nothing to change of: {', '.join(fields)}")
    return updates


def record(kind: type[T], row: Row, **more: object) -> T:
    """Convert a row to a record; 1 and 0 become booleans where the record has them."""
    flags = {name: bool(row[name]) for name in _flags(kind) if name in row}
    return msgspec.convert({**row, **flags, **more}, kind)


def number(cell: Cell) -> int:
    """Return a cell that contains a whole number."""
    if not isinstance(cell, int):
        raise TypeError(cell)
    return cell


@cache
def _flags(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is bool)


def first_of(matches: Sequence[M], kind: RefusalKind, message: str) -> M:
    """Return the first match; raise `RefusedError` if there is none."""
    if not matches:
        raise RefusedError(kind, message)
    return matches[0]


def refuse_if_any(state: State, message: str, query: str, *values: Cell) -> None:
    """Raise `RefusedError` (conflict) if a query finds a row."""
    if state.rows(query, *values):
        raise RefusedError("conflict", message)


def drawn(size: int, *parts: str) -> int:
    """Draw a number below `size`, determined by the texts: the same on every machine."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


def person_id(number: int) -> str:
    """The id of a person; the user is number 1."""
    return f"p{number:03d}"
