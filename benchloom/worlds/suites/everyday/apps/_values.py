"""Types of arguments that several apps share, and conversions of cells and days."""

from datetime import date
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.state import Cell, State
from benchloom.worlds.suites.everyday.rules import day

Note: TypeAlias = Annotated[str, msgspec.Meta(max_length=300)]
"""A remark, which may be empty."""
Cents: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
City: TypeAlias = Literal["Brisk", "Lomm", "Osterby", "Port Selda", "Skerry"]
Weekday: TypeAlias = Literal[
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)


def number(cell: Cell) -> int:
    """Return a cell that contains a whole number."""
    if not isinstance(cell, int):
        raise TypeError(cell)
    return cell


def today(state: State) -> str:
    """The current day."""
    return state.now[:10]


def from_today(state: State, text: str) -> date:
    """Parse a day; raise `RefusedError` if it does not exist or is over."""
    parsed_day = day(text)
    if text < today(state):
        raise RefusedError("invalid_argument", f"{text} is over; today is {today(state)}")
    return parsed_day
