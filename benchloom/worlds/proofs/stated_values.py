"""Detect whether the user's turns state a value, literally or in words for numbers and days.

The detection accepts few wordings, and each match is a literal part of the text. The author of a
candidate can supply another wording in `PlannedCall.said`.
"""

import datetime
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from benchloom.core.plain_words import SMALL_NUMBER_NAMES
from benchloom.worlds.answers.values.moments import HOUR_NAMES, MONTH_NAMES, WEEKDAYS
from benchloom.worlds.proofs.leaves import Scalar

Wording: TypeAlias = tuple[Literal["turn", "clock"], int, str]
"""A turn's index and its words that state a value; "clock" if they are relative to the clock."""
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ](([01][0-9]|2[0-3]):[0-5][0-9])(:00)?)?")
_YEARLY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_TIME = re.compile(r"(([01][0-9]|2[0-3]):[0-5][0-9])(:00)?")
_TODAY_IS = re.compile(r"\btoday is ([0-9]{4}-[0-9]{2}-[0-9]{2})\b")
_MONTHS = MONTH_NAMES.split()
_HOURS = HOUR_NAMES.split()
_HALF, _WEEK, _MONTH, _YEAR = 12, 7, 31, 366
_NEAR = {
    -1: r"(?<!before )yesterday",
    0: "today|tonight",
    1: r"(?<!after )tomorrow",
    2: "day after tomorrow",
}
_PARTS = {"morning": range(12), "afternoon": range(12, 19), "evening": range(16, 24)}
"""A mapping from each part of the day to the hours that it can mean."""
_ANY_PART = rf" ?[ap]\.? ?m\b| (?:o.clock )?(?:in the (?:{'|'.join(_PARTS)})|at night)\b"


def says_moment(value: str, turns: Sequence[str], now: str) -> Wording | None:
    """Return the words in the turns that state a day (ISO 8601), a time of day or both, or None.

    A day that recurs every year has the form 04-21. `now` is the world's clock, an ISO 8601 time.
    """
    if match := _MOMENT.fullmatch(value):
        wording = _says_day(match[1], turns, now)
        if wording is None or not match[2]:
            return wording
        time = _first("turn", turns, _times(match[2]))
        return time and (wording[0], wording[1], f"{wording[2]} … {time[2]}")
    if match := _TIME.fullmatch(value):
        return _first("turn", turns, _times(match[1]))
    if match := _YEARLY.fullmatch(value):
        return _first("turn", turns, _dates(int(match[1]), int(match[2]), ""))
    return None


def is_time(value: str) -> bool:
    """Whether a value is a time of day, whose literal text may be ambiguous between am and pm."""
    return _TIME.fullmatch(value) is not None


def _says_day(text: str, turns: Sequence[str], now: str) -> Wording | None:
    try:
        day, today = datetime.date.fromisoformat(text), datetime.date.fromisoformat(now[:10])
    except ValueError:
        return None
    year = str(day.year)
    has_year = any(re.search(rf"\b{year}\b", turn) for turn in turns)
    if has_year or abs((day - today).days) <= _YEAR:
        mention = _first("turn", turns, _dates(day.month, day.day, year))
        if mention is not None:
            return mention
    for turn in turns:
        today_match = _TODAY_IS.search(turn)
        if today_match is not None:
            return _first("turn", turns, _near(day, today_match[1]))
    return _first("clock", turns, _near(day, now))


def _first(
    kind: Literal["turn", "clock"], turns: Sequence[str], patterns: Iterator[str]
) -> Wording | None:
    for pattern in patterns:
        compiled = _compile(pattern)
        for number, turn in enumerate(turns):
            match = compiled.search(turn)
            if match is not None:
                return kind, number, match[0]
    return None


@lru_cache(4096)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _dates(month: int, day: int, year: str) -> Iterator[str]:
    month_name = f"(?:{_MONTHS[month - 1]})"
    no_other_year = rf"(?!,? (?!{year}\b)[12][0-9]{{3}}\b)" if year else ""
    if year:
        yield rf"(?<![\w-]){year}-{month:02d}-{day:02d}(?![\w-])"
    yield rf"(?<!\w){month_name}\.? (?:the )?0?{day}(?:st|nd|rd|th)?(?![\w:]){no_other_year}"
    yield rf"(?<![\w:.]){day}(?:st|nd|rd|th)?(?: of)? {month_name}\b\.?{no_other_year}"


def _near(day: datetime.date, now: str) -> Iterator[str]:
    """Yield patterns of phrases for a day relative to the clock, such as `tomorrow`, `the 12th`."""
    try:
        today = datetime.date.fromisoformat(now[:10])
    except ValueError:
        return
    ahead = (day - today).days
    if ahead in _NEAR:
        yield rf"\b(?:{_NEAR[ahead]})\b"
    if 0 < ahead <= _WEEK:
        yield rf"\b{WEEKDAYS[day.weekday()]}\b"
    number = rf"\b{day.day}(?:st|nd|rd|th)"
    if (day.year, day.month) == (today.year, today.month):
        yield rf"{number} of this month\b"
    if ahead >= 0 and (day.month == today.month or day.day < today.day) and ahead <= _MONTH:
        yield rf"\bthe {number}(?=$|[.,;?!]| (?:at|for|from|in|please|to|until)\b)"


def _times(time: str) -> Iterator[str]:
    """Yield patterns of phrases for a time of day (HH:MM), such as `17:30` or `half past 5 pm`."""
    hour, minute = int(time[:2]), time[3:]
    half = "a" if hour < _HALF else "p"
    parts = [f"in the {part}" for part, hours in _PARTS.items() if hour in hours]
    parts += ["at night"] if hour >= 20 or hour < 4 else []
    after = rf" ?(?:{half}\.? ?m\b|(?:o.clock )?(?:{'|'.join(parts)})\b)"
    start, short = r"(?<![\w:.])(?<!past )(?<!quarter to )(?<!minutes to )", _hour(hour)
    yield rf"{start}0?{hour}:{minute}(?::00)?(?![\w:])(?!{_ANY_PART})"
    yield rf"{start}{short}[:.]{minute}{after}"
    if minute == "00":
        yield rf"{start}{short}{after}"
        yield from [r"\bnoon\b"] if hour == _HALF else [r"\bmidnight\b"] if hour == 0 else []
    elif minute == "30":
        yield rf"\bhalf past {short}{after}"
    elif minute == "15":
        yield rf"\bquarter past {short}{after}"
    elif minute == "45":
        yield rf"\bquarter to {_hour(hour + 1)}{after}"


def _hour(hour: int) -> str:
    short = hour % _HALF or _HALF
    return rf"(?:0?{short}|{_HOURS[hour % _HALF]})"


_NUMBER = re.compile(r"(?<![\w.])-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,9})?(?!\w)")
_WORDS = (*SMALL_NUMBER_NAMES.split(), "twenty")
_CENTS = 100


class Turns:
    """The turns of a user, which are searched for values; `now` is the world's clock (ISO 8601)."""

    def __init__(self, turns: Sequence[str], now: str) -> None:
        self.now = now
        self._exact = turns
        self._plain = [_plain(turn) for turn in turns]
        self._numbers = [dict(_numbers(turn)) for turn in self._plain]

    def holds(self, words: str) -> int | None:
        """Return the index of the first turn that contains a phrase in any case, or None."""
        phrase = _plain(words)
        for number, turn in enumerate(self._plain):
            if phrase and _contains(turn, phrase):
                return number
        return None

    def says(self, value: Scalar, name: str) -> Wording | None:
        """Return the turn and the words that state the value of the argument `name`, or None.

        An amount in cents (`..._cents`) may also be stated in crowns, such as 27.50. A day must be
        named with its month or relative to the clock (`tomorrow`). Booleans are never detected.
        """
        if isinstance(value, bool):
            return None
        if isinstance(value, str):
            mention = self._says_text(value)
            is_other_case = mention is not None and name.endswith("_id") and not self._spells(value)
            return None if is_other_case else mention
        target_amounts = {Decimal(str(value))}
        if name.endswith("_cents"):
            target_amounts.add(Decimal(str(value)) / _CENTS)
        for number, amounts in enumerate(self._numbers):
            for amount in sorted(target_amounts & amounts.keys()):
                return "turn", number, amounts[amount]
        return None

    def _spells(self, entity_id: str) -> bool:
        """Whether a turn contains an id in the same case: the folder `Archive`, not `archive`."""
        return any(_contains(turn, entity_id) for turn in self._exact)

    def _says_text(self, value: str) -> Wording | None:
        for words in () if is_time(value) else (value, value.replace("_", " ")):
            number = self.holds(words)
            if number is not None:
                return "turn", number, words
        return says_moment(value, self._plain, self.now)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _contains(turn: str, phrase: str) -> bool:
    position = turn.find(phrase)
    while position >= 0:
        end = position + len(phrase)
        before, after = turn[position - 1 : position], turn[end : end + 1]
        starts = not (phrase[0].isalnum() and before.isalnum())
        if starts and not (phrase[-1].isalnum() and after.isalnum()):
            return True
        position = turn.find(phrase, position + 1)
    return False


def _numbers(turn: str) -> Iterator[tuple[Decimal, str]]:
    for match in _NUMBER.finditer(turn):
        yield Decimal(match[0].replace(",", "")), match[0]
    for number, word in enumerate(_WORDS):
        if _contains(turn, word):
            yield Decimal(number), word
