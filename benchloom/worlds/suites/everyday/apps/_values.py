"""What arguments of several apps look like, and how a row becomes what a tool gives back."""

from datetime import date
from functools import cache
from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

import msgspec

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import Cell, Row, State
from benchloom.worlds.suites.everyday.apps.people import USER

T = TypeVar("T", bound=msgspec.Struct)
Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"\S")]
Query: TypeAlias = Annotated[str, msgspec.Meta(max_length=100)]
Note: TypeAlias = Annotated[str, msgspec.Meta(max_length=300)]
Cents: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
Time: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]
Date: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$(?!\n)")
]
City: TypeAlias = Literal["Brisk", "Lomm", "Osterby", "Port Selda", "Skerry"]
CITIES: tuple[City, ...] = get_args(City)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    return tuple((one.name, one.type is bool) for one in msgspec.structs.fields(kind))


def told(row: Row, kind: type[T]) -> T:
    """A row as a record; 0 and 1 stand for no and yes in a table."""
    given = {name: bool(row[name]) if truth else row[name] for name, truth in _fields(kind)}
    return msgspec.convert(given, kind)


def number(cell: Cell) -> int:
    """A cell that holds a whole number."""
    if not isinstance(cell, int):
        raise TypeError(cell)
    return cell


def day_of(text: str) -> date:
    """A day of the calendar.

    Raises:
        RefusedError: there is no such day.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is no day of the calendar") from error


def from_today(state: State, text: str) -> date:
    """A day that is not over.

    Raises:
        RefusedError: there is no such day, or it is over.
    """
    found = day_of(text)
    if text < state.now[:10]:
        raise RefusedError("invalid_argument", f"{text} is over; today is {state.now[:10]}")
    return found


def changes_of(**wanted: Cell) -> dict[str, Cell]:
    """What is to change: all that was given.

    Raises:
        RefusedError: nothing was given.
    """
    found: dict[str, Cell] = {name: value for name, value in wanted.items() if value is not None}
    if not found:
        raise RefusedError("invalid_argument", f"nothing to change: give {', '.join(wanted)}")
    return found


def own(row: Row, what: str) -> Row:
    """A row of the user.

    Raises:
        RefusedError: it is another person's.
    """
    if row["person_id"] != USER:
        raise RefusedError("permission", f"the {what} is another person's")
    return row


def says(part: str, *texts: str) -> bool:
    """Whether a part stands in one of some texts, capitals or not."""
    wanted = part.casefold()
    return any(wanted in text.casefold() for text in texts)
