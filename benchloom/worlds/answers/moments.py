"""Days and times of the day that a text mentions."""

import datetime
import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from benchloom.worlds.answers.numbers import SMALL_NUMBER_NAMES, TENS_NAMES

MONTH_NAMES = (
    "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
    "september|sept|sep october|oct november|nov december|dec"
)
_MONTHS = {
    name: number for number, names in enumerate(MONTH_NAMES.split(), 1) for name in names.split("|")
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""Names of the days, from Monday."""
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = "|".join(WEEKDAYS)
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
_WEEKDAYS = re.compile(
    rf"\b(?P<next>next )?(?:(?P<name>{_WEEKDAY})s?"
    rf"|(?P<short>{'|'.join(_SHORT_DAYS)})(?=[.,]? [0-9]|[.,;]|$))\b(?P<week> (?:of )?next week)?"
)
_TH = "(?:st|nd|rd|th)"
_DATES = re.compile(
    r"(?<![\w.-])(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?=t[0-9]|(?![\w-]))"
    rf"|\b(?P<m2>{_MONTH})\b\.? (?:the )?(?P<d2>[0-9]{{1,2}}){_TH}?(?![\w:]|\.[0-9])"
    r"(?:,? (?P<y2>[12][0-9]{3})\b)?"
    rf"|(?<![\w:.])(?P<d3>[0-9]{{1,2}}){_TH}?(?: of)? (?P<m3>{_MONTH})\b\.?"
    r"(?:,? (?P<y3>[12][0-9]{3})\b)?"
    r"|(?<![\w.])(?P<d4>[0-9]{1,2})[./](?P<m4>[0-9]{1,2})[./](?P<y4>[12][0-9]{3})(?![\w])"
    rf"|\bthe (?P<d5>[0-9]{{1,2}}){_TH}\b"
)
_NEAR = re.compile(
    r"\b(?:(?P<two>(?:the )?day after tomorrow)|(?P<week>(?:a|one) week from (?:today|now)"
    r"|in (?:a|one) week|today week)|(?P<one>tomorrow)"
    r"|(?P<zero>today|tonight|this (?:morning|afternoon|evening))|(?P<back>yesterday))\b"
)
_OFFSETS = {"week": 7, "two": 2, "one": 1, "zero": 0, "back": -1}
HOUR_NAMES = "twelve one two three four five six seven eight nine ten eleven"
YEARLY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
"""A day of every year, as month and day."""
_HOURS = {word: number for number, word in enumerate(HOUR_NAMES.split())}
_HOURS["twelve"] = 12
_HOUR = rf"(?:[0-9]{{1,2}}|{'|'.join(_HOURS)})"
_TENS = TENS_NAMES.split()[:4]
_MINUTE_WORDS = {word: number for number, word in enumerate(SMALL_NUMBER_NAMES.split())}
_MINUTE_WORDS |= {word: 20 + 10 * number for number, word in enumerate(_TENS)}
_MINUTE_WORDS |= {"quarter": 15, "half": 30}
_MINUTE = rf"(?:(?:{'|'.join(_TENS)})[- ])?(?:{'|'.join(_MINUTE_WORDS)})"
_HALF = r" ?(?P<half{0}>[ap])\.? ?m\b\.?"
_PART = r"(?: (?:in the|this) (?P<part>morning|afternoon|evening)| at (?P<night>night))?"
_BEFORE_HOUR = "|".join(
    rf"(?<=\b{word} )"
    for word in (
        *("at", "as of", "from", "by", "until", "till", "to"),
        *("since", "before", "after", "around", "about"),
    )
)
_BEHIND_HOUR = (
    r"(?=\W*(?:$|[.,;!?)\n]|(?:and|or|on|to|until|till|in|this|at|sharp|for|today|tomorrow"
    r"|every|each)\b))"
)
_DAY_PART = r"(?= (?:in the|this) (?:morning|afternoon|evening)| at night)"
_TIMES = re.compile(
    rf"(?:(?<![\w:.,])(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[t ])?"
    rf"(?P<h>[0-9]{{1,2}})[:h](?P<m>[0-5][0-9])(?::[0-9]{{2}})?"
    rf"(?:z|\+00:00)?(?![\w:])(?:{_HALF.format(1)})?"
    rf"|(?<![\w:.,])(?P<h2>[0-9]{{1,2}})\.(?P<m2>[0-5][0-9]){_HALF.format(2)}"
    rf"|(?<![\w:.,])(?P<h3>{_HOUR}){_HALF.format(3)}"
    rf"|(?:(?<!from )(?<!between )|(?=[a-z0-9 -]{{3,30}} past ))"
    rf"\b(?P<shift>(?:a )?{_MINUTE}(?: minutes?)?|[0-9]{{1,2}} minutes?)"
    rf" (?P<way>past|after|to|before) (?P<h4>{_HOUR}|noon|midday|midnight)\b(?![:.][0-9])"
    rf"(?:{_HALF.format(4)})?"
    rf"|(?<![\w:.,])(?P<h5>{_HOUR}) o'clock(?:{_HALF.format(5)})?"
    rf"|(?:{_BEFORE_HOUR})(?P<h6>{_HOUR})(?:\.(?P<m6>[0-5][0-9]))?{_BEHIND_HOUR}"
    rf"|(?<![\w:.,])(?P<h7>{_HOUR}){_DAY_PART}"
    rf"|\b(?P<noon>noon|midday|midnight)\b){_PART}"
)
_HOUR_GROUPS = ("h", "h2", "h3", "h4", "h5", "h6", "h7")
_NOON = 12
_NOONS = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_DAY_MINUTES = 24 * 60
_WEEK = 7
_GAP = 20
_YEAR = 366


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A day as written in a text; parts that are not written are None.

    `offset` counts days from today. `later` is set if the text says that the day is in the next
    week.
    """

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    offset: int | None = None
    swapped: bool = False
    later: bool = False

    def is_day(self, date: datetime.date, today: datetime.date, *, yearly: bool = False) -> bool:
        """Whether this written day may mean a date; set `yearly` if the date recurs each year.

        A weekday without a date must be in the coming week, a day without a year within a year.
        """
        ahead = (date - today).days
        if self.offset is not None:
            return ahead == self.offset
        if self.weekday is not None and not yearly and self.weekday != date.weekday():
            return False
        if self.day is None:
            last = 2 * _WEEK - 1 if self.later else _WEEK
            return self.weekday is not None and not yearly and -_WEEK <= ahead <= last
        numbers = {(self.month, self.day)} | ({(self.day, self.month)} if self.swapped else set())
        same = (date.month, date.day) in numbers or (self.month is None and self.day == date.day)
        return same and (
            self.year == date.year if self.year is not None else yearly or abs(ahead) <= _YEAR
        )

    def date(self, today: datetime.date) -> datetime.date | None:
        """Return the date that is probably meant; None if there is no possible date."""
        if self.offset is not None or self.day is None:
            ahead = ((self.weekday or 0) - today.weekday()) % _WEEK
            return today + datetime.timedelta(ahead if self.offset is None else self.offset)
        dates = []
        for index in range(today.month - 13, today.month + 12):
            year, month = today.year + index // 12, index % 12 + 1
            if self.month in {None, month} and self.year in {None, year}:
                with suppress(ValueError):
                    dates.append(datetime.date(year, month, self.day))
        return min(dates, key=lambda date: max(date - today, 3 * (today - date)), default=None)

    def key(self, today: datetime.date) -> str:
        """Return a key that is equal for two spellings of one day."""
        return str(self.date(today) or f"{self.year}-{self.month}-{self.day}")


class Time(msgspec.Struct, frozen=True, kw_only=True):
    """A time of day as written in a text: `minutes` are the minutes since midnight it may mean.

    A `bare` time is an hour alone, as in `at 8`; other questions read it as a number.
    """

    start: int
    end: int
    minutes: frozenset[int]
    bare: bool = False

    @property
    def key(self) -> str:
        """A key that is equal for two spellings of one time."""
        return ",".join(map(str, sorted(self.minutes)))


def days_in(lower: str) -> list[Day]:
    """Return the days in a text, in order; a weekday beside a date belongs to the date."""
    dates = [day for match in _DATES.finditer(lower) if (day := _date(match)) is not None]
    days: list[Day] = []
    starts = [day.start for day in dates]
    for match in _WEEKDAYS.finditer(lower):
        name = match["name"]
        weekday = WEEKDAYS.index(name) if name else _SHORT_DAYS[match["short"]]
        index = _beside(lower, match, dates, bisect_left(starts, match.start()))
        if index is None:
            later = match["next"] is not None or match["week"] is not None
            days.append(Day(start=match.start(), end=match.end(), weekday=weekday, later=later))
        else:
            dates[index] = msgspec.structs.replace(
                dates[index], weekday=weekday, start=min(dates[index].start, match.start())
            )
    for match in _NEAR.finditer(lower):
        offset = _OFFSETS[match.lastgroup or "zero"]
        days.append(Day(start=match.start(), end=match.end(), offset=offset))
    return sorted([*days, *dates], key=lambda day: day.start)


def times_in(lower: str) -> list[Time]:
    """The times of the day of a text, in order."""
    return [time for match in _TIMES.finditer(lower) if (time := _time(match)) is not None]


def masked(lower: str, spans: Iterator[Day | Time]) -> str:
    """Blank out days and times (except bare hours) in a text, keeping its length."""
    letters = list(lower)
    for span in spans:
        if isinstance(span, Time) and span.bare:
            continue
        letters[span.start : span.end] = "\x00" * (span.end - span.start)
    return "".join(letters)


def _date(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    year = parts["y"] or parts["y2"] or parts["y3"] or parts["y4"]
    month = parts["m"] or parts["m2"] or parts["m3"] or parts["m4"]
    day = int(parts["d"] or parts["d2"] or parts["d3"] or parts["d4"] or parts["d5"])
    number = None if month is None else _MONTHS[month] if month in _MONTHS else int(month)
    if not 1 <= day <= 31 or (number is not None and not 1 <= number <= 31):
        return None
    return Day(
        start=match.start(),
        end=match.end(),
        year=None if year is None else int(year),
        month=number,
        day=day,
        swapped=parts["y4"] is not None,
    )


def _beside(lower: str, match: re.Match[str], dates: list[Day], index: int) -> int | None:
    """Return the number of the date that a weekday belongs to; None if there is no such date.

    The date must be directly after the weekday (at `index`) or directly before the weekday.
    """
    if index < len(dates):
        before = lower[match.end() : dates[index].start][:_GAP]
        if re.fullmatch(r"[,.]?(?: on)?(?: the)? ?\(?", before):
            return index
    if index and re.fullmatch(
        r",? ?\(?(?:a )?", lower[dates[index - 1].end : match.start()][:_GAP]
    ):
        return index - 1
    return None


def _time(match: re.Match[str]) -> Time | None:
    parts = match.groupdict()
    named = parts["noon"] or parts["h4"]
    vague = any(parts[name] for name in ("h4", "h5", "h6", "h7"))
    if named in _NOONS:
        hours = {_NOONS[named]}
    else:
        hour_text = next(value for number in _HOUR_GROUPS if (value := parts[number]))
        hour = _HOURS[hour_text] if hour_text in _HOURS else int(hour_text)
        half = next((parts[f"half{n}"] for n in range(1, 6) if parts[f"half{n}"]), "")
        if hour > 24 or (half == "a" and hour > _NOON) or (half and not hour):
            return None
        hours = _hours(hour, half, parts["part"] or parts["night"] or "", vague=vague)
    shift = _shift(parts["shift"], parts["way"]) if parts["shift"] else 0
    shift += int(parts["m"] or parts["m2"] or parts["m6"] or 0)
    minutes = frozenset((60 * each + shift) % _DAY_MINUTES for each in hours)
    bare = bool(parts["h6"] or parts["h7"])
    return Time(start=match.start(), end=match.end(), minutes=minutes, bare=bare)


def _shift(text: str, way: str) -> int:
    """The minutes of `twenty-five past`, `3 minutes to` or `a quarter before`."""
    words = re.findall(r"[a-z]+|[0-9]+", text)
    minutes = sum(int(word) if word.isdigit() else _MINUTE_WORDS.get(word, 0) for word in words)
    return minutes if way in {"past", "after"} else -minutes


def _hours(hour: int, half: str, part: str, *, vague: bool) -> set[int]:
    """Return the hours of the day that a written hour may mean."""
    morning, later = hour % _NOON, hour % _NOON + _NOON
    if (half and hour <= _NOON) or (part and hour <= _NOON):
        first = half == "a" or part == "morning" or (part == "night" and hour in {12, 1, 2, 3, 4})
        return {morning} if first else {later}
    return {morning, later} if vague and hour <= _NOON else {hour % 24}
