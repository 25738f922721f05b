"""What tools of many apps do alike: read times, find texts, make records of rows, refuse."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from itertools import islice
from typing import TypeVar

import msgspec

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import Cell, Row, State

T = TypeVar("T", bound=msgspec.Struct)
_MINUTES = 16


def day(text: str) -> date:
    """The day that a text says.

    Raises:
        RefusedError: no calendar has it.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is no day") from error


def moment(text: str) -> datetime:
    """The minute that a text says.

    Raises:
        RefusedError: there is none.
    """
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is no time") from error


def now(state: State) -> str:
    """The minute it is."""
    return state.now[:_MINUTES]


def future(state: State, text: str) -> datetime:
    """A minute to come.

    Raises:
        RefusedError: there is none like that, or it has passed.
    """
    parsed_moment = moment(text)
    if text <= now(state):
        raise RefusedError("invalid_argument", f"{text} has passed, it is {now(state)}")
    return parsed_moment


def minutes(time: datetime) -> str:
    """How results and rows write a time."""
    return time.isoformat(timespec="minutes")


def says(part: str, *texts: Cell) -> bool:
    """Whether a part stands in one of the texts, in capitals or not."""
    folded_part = part.casefold()
    return any(folded_part in str(text).casefold() for text in texts if text is not None)


def matching(
    rows: Iterable[dict[str, Cell]], query: str, names: Sequence[str], limit: int | None = None
) -> list[dict[str, Cell]]:
    """The first rows in which a part of a text stands in one of some columns."""
    matching_rows = (
        row for row in rows if not query or says(query, *(row[name] for name in names))
    )
    return list(islice(matching_rows, limit))


def changes(**fields: Cell) -> dict[str, Cell]:
    """What a change was asked for; yes and no are kept as 1 and 0.

    Raises:
        RefusedError: nothing.
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
    """The record of a row; 1 and 0 are yes and no where the record says so."""
    flags = {name: bool(row[name]) for name in _flags(kind) if name in row}
    return msgspec.convert({**row, **flags, **more}, kind)


@cache
def _flags(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is bool)


def refuse_if_any(state: State, message: str, query: str, *values: Cell) -> None:
    """Refuse for a conflict where a query finds something.

    Raises:
        RefusedError: it does.
    """
    if state.rows(query, *values):
        raise RefusedError("conflict", message)
