r"""Types of arguments that many apps share; the JSON Schemas of the tools contain their limits.

Patterns say [0-9], as \d matches the digits of every script, and end in $(?!\n), as Python's $
also matches before a line break at the end but JSON Schema's does not.
"""

from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

_DATE = "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
_LINE = r"^[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$(?!\n)"

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""The id of a row; results contain it under the same name."""
Name = Annotated[str, msgspec.Meta(max_length=80, pattern=_LINE)]
"""A name, in one line."""
Title = Annotated[str, msgspec.Meta(max_length=120, pattern=_LINE)]
"""A title, in one line."""
Text = Annotated[str, msgspec.Meta(max_length=4000, pattern=r"^[^\s\x00][^\x00]*$")]
Query = Annotated[str, msgspec.Meta(max_length=120)]
"""A part of a text to search for; every text contains the empty one."""
Date = Annotated[str, msgspec.Meta(pattern=rf"^{_DATE}$(?!\n)")]
"""A day, like 2027-03-15; `rules.day` refuses those that no calendar has."""
Time = Annotated[str, msgspec.Meta(pattern=rf"^{_TIME}$(?!\n)")]
"""A time of the day, like 07:05."""
Moment = Annotated[str, msgspec.Meta(pattern=rf"^{_DATE}T{_TIME}$(?!\n)")]
"""A minute of a day, like 2027-03-15T07:05; `rules.moment` refuses those that never are."""
Email = Annotated[
    str,
    msgspec.Meta(
        max_length=100,
        pattern=r"^[a-z0-9]+([._-][a-z0-9]+)*@[a-z0-9]+([.-][a-z0-9]+)*\.[a-z]+$(?!\n)",
    ),
]
"""An address of mail, in small letters."""
Phone = Annotated[str, msgspec.Meta(pattern=r"^\+[0-9]{7,15}$(?!\n)")]
"""A telephone number, like +4912345678."""
Limit = Annotated[int, msgspec.Meta(ge=1, le=50)]
"""The most results of a search."""
Note = Annotated[str, msgspec.Meta(max_length=300)]
"""A remark, which may be empty."""
Cents = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
City: TypeAlias = Literal["Brisk", "Lomm", "Osterby", "Port Selda", "Skerry"]
CITIES: tuple[City, ...] = get_args(City)
Weekday: TypeAlias = Literal[
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
