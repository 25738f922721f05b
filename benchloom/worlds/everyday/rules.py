r"""Rules that the tools of all apps share, such as types of arguments and formats of times.

The JSON Schemas of the tools contain the limits of arguments. Patterns use [0-9], because \d
matches the digits of every script. They end in $(?!\n), because Python's $ also matches before a
line break at the end, but JSON Schema's does not.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

import msgspec

from benchloom.worlds.state import Cell, RefusalKind, RefusedError, Row, State

_DATE = "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
_LINE = r"^[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$(?!\n)"

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""The id of a row; results of tools contain the id under the same name as the argument."""
Name = Annotated[str, msgspec.Meta(max_length=80, pattern=_LINE)]
"""A name, which is a single line of text."""
Title = Annotated[str, msgspec.Meta(max_length=120, pattern=_LINE)]
"""A title, which is a single line of text."""
Text = Annotated[str, msgspec.Meta(max_length=4000, pattern=r"^[^\s\x00][^\x00]*$")]
Query = Annotated[str, msgspec.Meta(max_length=120)]
"""A part of a text to search for; the empty string matches every text."""
Date = Annotated[str, msgspec.Meta(pattern=rf"^{_DATE}$(?!\n)")]
"""A day, like 2027-03-15; `rules.day` refuses days that do not exist."""
Time = Annotated[str, msgspec.Meta(pattern=rf"^{_TIME}$(?!\n)")]
"""A time of the day, like 07:05."""
Moment = Annotated[str, msgspec.Meta(pattern=rf"^{_DATE}T{_TIME}$(?!\n)")]
"""A minute of a day, like 2027-03-15T07:05; `rules.moment` refuses times that do not exist."""
Email = Annotated[
    str,
    msgspec.Meta(
        max_length=100,
        pattern=r"^[a-z0-9]+([._-][a-z0-9]+)*@[a-z0-9]+([.-][a-z0-9]+)*\.[a-z]+$(?!\n)",
    ),
]
"""An email address, in lower case."""
Phone = Annotated[str, msgspec.Meta(pattern=r"^\+[0-9]{7,15}$(?!\n)")]
"""A telephone number, like +4912345678."""
Limit = Annotated[int, msgspec.Meta(ge=1, le=50)]
"""The maximum number of results that a search returns."""
Note = Annotated[str, msgspec.Meta(max_length=300)]
"""A remark, which may be empty."""
Cents = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
City: TypeAlias = Literal["Brisk", "Lomm", "Osterby", "Port Selda", "Skerry"]
CITIES: tuple[City, ...] = get_args(City)
Weekday: TypeAlias = Literal[
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)


T = TypeVar("T", bound=msgspec.Struct)
M = TypeVar("M")
_MINUTES = 16
COUNT = 120
"""The number of people in the world; the first is the user."""
USER = "p001"


def day(text: str) -> date:
    """Parse a day like 2027-03-15; raise `RefusedError` if the day does not exist."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise RefusedError("invalid_argument", f"{text!r} is not a day, like 2027-03-15") from error


def moment(text: str) -> datetime:
    """Parse a time like 2027-03-15T07:05; raise `RefusedError` if the time does not exist."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise RefusedError(
            "invalid_argument", f"{text!r} is not a time, like 2027-03-15T07:05"
        ) from error


def now(state: State) -> str:
    """Return the current minute of the world's clock, like 2027-03-15T09:00."""
    return state.now[:_MINUTES]


def today(state: State) -> str:
    """Return the current day of the world's clock, like 2027-03-15."""
    return state.now[:10]


def from_today(state: State, text: str) -> date:
    """Parse a day; raise `RefusedError` if the day does not exist or is in the past."""
    parsed_day = day(text)
    if text < today(state):
        raise RefusedError("invalid_argument", f"{text} is in the past; today is {today(state)}")
    return parsed_day


def future(state: State, text: str) -> datetime:
    """Parse a time; raise `RefusedError` if the time does not exist or is not in the future."""
    parsed_moment = moment(text)
    if text <= now(state):
        raise RefusedError("invalid_argument", f"{text} is in the past; now is {now(state)}")
    return parsed_moment


def in_days(column: str, since: str | None, until: str | None = None) -> dict[str, Cell]:
    """Return a mapping from conditions in SQL to values, for the days from `since` to `until`.

    The value of a missing bound is None; `Table.search` ignores conditions whose value is None.
    """
    return {
        f"{column} >= ?": day(since).isoformat() if since else None,
        f"{column} <= ?": day(until).isoformat() if until else None,
    }


def iso_minute(time: datetime) -> str:
    """Format a time like 2027-03-15T07:05, as in rows and results."""
    return time.isoformat(timespec="minutes")


def ago(state: State, minutes: int) -> str:
    """Return the time that is some minutes before the current time."""
    return iso_minute(datetime.fromisoformat(state.now[:_MINUTES]) - timedelta(minutes=minutes))


def contains(part: str, *texts: Cell) -> bool:
    """Whether one of the texts contains `part`, ignoring case."""
    folded_part = part.casefold()
    return any(folded_part in str(text).casefold() for text in texts if text is not None)


def matching(
    rows: Iterable[dict[str, Cell]], query: str, names: Sequence[str], limit: int | None = None
) -> list[dict[str, Cell]]:
    """Return at most `limit` rows that contain the query in one of the columns `names`."""
    matching_rows = (
        row for row in rows if not query or contains(query, *(row[name] for name in names))
    )
    return list(islice(matching_rows, limit))


def changes(**fields: Cell) -> dict[str, Cell]:
    """Return the fields whose value is not None, with 1 and 0 in place of booleans.

    Raises:
        RefusedError: all fields are None.
    """
    updates: dict[str, Cell] = {
        name: int(value) if isinstance(value, bool) else value
        for name, value in fields.items()
        if value is not None
    }
    if not updates:
        raise RefusedError(
            "invalid_argument", f"nothing to change; pass at least one of {', '.join(fields)}"
        )
    return updates


def record(kind: type[T], row: Row, **more: object) -> T:
    """Convert a row to a record of type `kind`; `more` has further fields.

    The values 1 and 0 become booleans in boolean fields.
    """
    flags = {name: bool(row[name]) for name in _flags(kind) if name in row}
    return msgspec.convert({**row, **flags, **more}, kind)


def number(cell: Cell) -> int:
    """Return the value of a cell, which must be an integer; raise `TypeError` otherwise."""
    if not isinstance(cell, int):
        raise TypeError(cell)
    return cell


@cache
def _flags(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is bool)


def first_of(matches: Sequence[M], kind: RefusalKind, message: str) -> M:
    """Return the first match of a search; raise `RefusedError` if there is no match."""
    if not matches:
        raise RefusedError(kind, message)
    return matches[0]


def exists(
    state: State, table: str, where: Mapping[str, Cell] = MappingProxyType({}), /, **equal: Cell
) -> bool:
    """Whether a row of a table has the values in `equal` and meets all conditions.

    `where` maps conditions in SQL to the values of their placeholders.
    """
    conditions = {**where, **{f"{name} = ?": value for name, value in equal.items()}}
    query = f"SELECT 1 FROM {table} WHERE {' AND '.join(conditions)} LIMIT 1"  # noqa: S608  the names are written in the code
    return bool(state.rows(query, *conditions.values()))


def refuse_if_any(
    state: State,
    message: str,
    table: str,
    where: Mapping[str, Cell] = MappingProxyType({}),
    /,
    **equal: Cell,
) -> None:
    """Raise `RefusedError` (conflict) with a message if a row meets all conditions.

    The conditions are those of `exists`.
    """
    if exists(state, table, where, **equal):
        raise RefusedError("conflict", message)


def drawn(size: int, *parts: str) -> int:
    """Return a pseudo-random number below `size`; equal `parts` give equal numbers."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


def choice(options: Sequence[M], *parts: str) -> M:
    """Return a pseudo-random option; equal `parts` give equal options."""
    return options[drawn(len(options), *parts)]


def person_id(number: int) -> str:
    """Return the id of the person with a number; the user is number 1."""
    return f"p{number:03d}"


def email_of(state: State, person: str = USER) -> str:
    """Return the email address of the person with an id, by default the user."""
    return str(state.row("people", person_id=person)["email"])


def other_person(state: State, person: str) -> str:
    """Return the name of a person; raise `RefusedError` if the person is the user."""
    name = str(state.row("people", person_id=person)["name"])
    if person == USER:
        raise RefusedError("invalid_argument", "person_id is the user; choose another person")
    return name
