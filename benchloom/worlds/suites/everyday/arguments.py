"""Types of arguments that many apps share; their limits stand in the JSON Schemas of the tools.

Digits are written out, since a class of them would hold those of every script; an end that no line
break may follow is the very end in Python and in JSON Schema alike.
"""

from typing import Annotated

import msgspec

_DATE = "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
_LINE = r"^[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$(?!\n)"

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""The id of a row; a result has it under the same name."""
Name = Annotated[str, msgspec.Meta(max_length=80, pattern=_LINE)]
"""One line that names somebody or something."""
Title = Annotated[str, msgspec.Meta(max_length=120, pattern=_LINE)]
"""One line that says what something is about."""
Text = Annotated[str, msgspec.Meta(max_length=4000, pattern=r"^[^\s\x00][^\x00]*$")]
"""What somebody wrote."""
Query = Annotated[str, msgspec.Meta(max_length=120)]
"""What is looked for in texts; nothing is found in all of them."""
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
"""How many are found at most."""
