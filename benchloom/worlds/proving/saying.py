"""Whether the user's turns say a value, letter for letter or as people write numbers and days.

This is a strict reading: it knows few ways to say something, and what it takes for said stands
there. Whoever makes candidates and knows more says so by `PlannedCall.said`.
"""

import datetime
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from benchloom.worlds.proving.leaves import Scalar

_NUMBER = re.compile(r"(?<![\w.])-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,9})?(?!\w)")
_WORDS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_WORDS = _WORDS_TEXT.split()
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_MONTHS_TEXT = (
    "January February March April May June July August September October November December"
)
_MONTHS = _MONTHS_TEXT.split()
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HALF, _CENTS = 12, 100
_NEAR = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_WEEK = 7


class Turns:
    """What the user says; `now` is the clock of the world, an ISO 8601 time."""

    def __init__(self, turns: Sequence[str], now: str) -> None:
        self.now = now
        self._exact = turns
        self._plain = [_plain(turn) for turn in turns]
        self._numbers = [dict(_numbers(turn)) for turn in self._plain]

    def holds(self, words: str) -> int | None:
        """The first turn in which words stand, as words."""
        wanted = _plain(words)
        for number, turn in enumerate(self._plain):
            if wanted and _stands(turn, wanted):
                return number
        return None

    def says(self, value: Scalar, name: str) -> tuple[Literal["turn", "clock"], int, str] | None:
        """How a value is said, in which turn and in which words; `name` is the argument's.

        Sums in cents (`..._cents`) are said as 27.50. A day is said with its month, or by the
        clock: tomorrow, on Friday. Truths are said by no word of their own.
        """
        if isinstance(value, bool):
            return None
        if isinstance(value, str):
            found = self._says_text(value)
            strange = found is not None and name.endswith("_id") and not self._spells(value)
            return None if strange else found
        wanted = {Decimal(str(value))}
        if name.endswith("_cents"):
            wanted.add(Decimal(str(value)) / _CENTS)
        for number, amounts in enumerate(self._numbers):
            for amount in sorted(wanted & amounts.keys()):
                return "turn", number, amounts[amount]
        return None

    def _spells(self, ident: str) -> bool:
        """Whether an id stands in a turn as it is: the folder Archive is not `archive`."""
        return any(_stands(turn, ident) for turn in self._exact)

    def _says_text(self, value: str) -> tuple[Literal["turn", "clock"], int, str] | None:
        for words in (value, value.replace("_", " ")):
            number = self.holds(words)
            if number is not None:
                return "turn", number, words
        day, _, time = value.partition("T")
        if _DATE.fullmatch(day) and (not time or _TIME.fullmatch(time[:5])):
            return self._says_moment(day, time[:5])
        if _TIME.fullmatch(value):
            return self._first("turn", times(value))
        return None

    def _says_moment(self, day: str, time: str) -> tuple[Literal["turn", "clock"], int, str] | None:
        try:
            found = self._first("turn", days(day)) or self._first("clock", near_days(day, self.now))
        except ValueError:
            return None
        if found is None or not time:
            return found
        kind, number, words = found
        also = self._first(kind, times(time))
        return None if also is None else (kind, number, f"{words} … {also[2]}")

    def _first(
        self, kind: Literal["turn", "clock"], spellings: Iterator[str]
    ) -> tuple[Literal["turn", "clock"], int, str] | None:
        for words in spellings:
            number = self.holds(words)
            if number is not None:
                return kind, number, words
        return None


def days(day: str) -> Iterator[str]:
    """Ways to write a day (ISO 8601) that need no clock.

    Raises:
        ValueError: no calendar has it.
    """
    found = datetime.date.fromisoformat(day)
    month, number = _MONTHS[found.month - 1], str(found.day)
    yield from (day, f"{number} {month}", f"{month} {number}")
    yield from (f"{_th(found.day)} of {month}", f"{month} {_th(found.day)}")


def near_days(day: str, now: str) -> Iterator[str]:
    """Ways to say a day by the clock: today, tomorrow, and the days of the week that comes.

    Raises:
        ValueError: no calendar has it.
    """
    found = datetime.date.fromisoformat(day)
    ahead = (found - datetime.date.fromisoformat(now[:10])).days
    if ahead in _NEAR:
        yield _NEAR[ahead]
    if 0 < ahead <= _WEEK:
        yield _DAYS[found.weekday()]


def times(time: str) -> Iterator[str]:
    """Ways to write a time of the day (HH:MM)."""
    hour, minute = int(time[:2]), time[3:]
    half = "am" if hour < _HALF else "pm"
    short = hour % _HALF or _HALF
    yield from (time, f"{hour}:{minute}")
    yield from (f"{short}:{minute} {half}", f"{short}:{minute}{half}")
    if minute == "00":
        yield from (f"{short} {half}", f"{short}{half}")
        yield from ["noon"] if hour == _HALF else ["midnight"] if hour == 0 else []


def _th(day: int) -> str:
    teens = range(11, 14)
    end = "th" if day in teens else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{end}"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _stands(turn: str, wanted: str) -> bool:
    """Whether words stand in a turn and are no part of longer ones."""
    place = turn.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        before, after = turn[place - 1 : place], turn[end : end + 1]
        loose = not (wanted[0].isalnum() and before.isalnum())
        if loose and not (wanted[-1].isalnum() and after.isalnum()):
            return True
        place = turn.find(wanted, place + 1)
    return False


def _numbers(turn: str) -> Iterator[tuple[Decimal, str]]:
    for found in _NUMBER.finditer(turn):
        yield Decimal(found[0].replace(",", "")), found[0]
    for number, word in enumerate(_WORDS):
        if _stands(turn, word):
            yield Decimal(number), word
