"""Find the days that a text mentions, such as `3 May`, `Friday` or `tomorrow`."""

import datetime
import re
from bisect import bisect_left
from contextlib import suppress

import msgspec

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
_WEEKEND = {"sat": 5, "sun": 6}
"""Abbreviations that are also ordinary words; they mean a day only beside a date, or alone."""
_WEEKDAYS = re.compile(
    rf"\b(?P<next>next )?(?:(?P<name>{_WEEKDAY})s?"
    rf"|(?P<short>{'|'.join(_SHORT_DAYS)})(?=[.,]? [0-9]|[.,:;]|$| closed| open)"
    rf"|(?P<weekend>sat|sun)(?=[.,]? (?:[0-9]{{1,2}}(?:st|nd|rd|th)? )?(?:{_MONTH})\b"
    r"|[.,]? [0-9]{4}-|(?<=^...)\.?$))\b(?P<week> (?:of )?next week)?"
)
_TH = "(?:st|nd|rd|th)"
_ORDINAL_TEXT = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
_ORDINALS = {name: number for number, name in enumerate(_ORDINAL_TEXT.split(), 1)}
_ORDINALS |= {f"twenty-{name}": 20 + number for name, number in [*_ORDINALS.items()][:9]}
_ORDINALS |= {"thirtieth": 30, "thirty-first": 31}
_DATES = re.compile(
    r"(?<![\w.-])(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?=t[0-9]|(?![\w-]))"
    rf"|\b(?P<m2>{_MONTH})\b\.? (?:the )?(?P<d2>[0-9]{{1,2}}){_TH}?(?![\w:]|\.[0-9])"
    r"(?:,? (?P<y2>[12][0-9]{3})\b)?"
    rf"|(?<![\w:.])(?:(?P<d3>[0-9]{{1,2}}){_TH}?|(?P<d6>{'|'.join(_ORDINALS)}))(?: of)?"
    rf" (?P<m3>{_MONTH})\b\.?(?:,? \(?(?P<y3>[12][0-9]{{3}})\b)?"
    r"|(?<![\w.])(?P<d4>[0-9]{1,2})[./](?P<m4>[0-9]{1,2})[./](?P<y4>(?:[12][0-9])?[0-9]{2})(?![\w])"
    r"|(?<![\w.])(?P<d7>[0-9]{1,2})\.(?P<m7>0?[1-9]|1[0-2])\.(?=[:,])"
    rf"|\bthe (?P<d5>[0-9]{{1,2}}){_TH}\b(?! (?:of )?(?:{_MONTH})\b)"
)
_OF_MONTH = re.compile(r"\.? ([1-9]|[12][0-9]|3[01])(?=[,;:)\n]|$)")
"""Matches the day of the month after a weekday, as in `Thu 18`."""
_NEAR = re.compile(
    r"\b(?:(?P<two>(?:the )?day after tomorrow)|(?P<week>(?:a|one) week from (?:today|now)"
    r"|in (?:a|one) week|today week)|(?P<one>tomorrow)"
    r"|(?P<zero>today|tonight|this (?:morning|afternoon|evening))|(?P<back>yesterday))\b"
)
_OFFSETS = {"week": 7, "two": 2, "one": 1, "zero": 0, "back": -1}
HOUR_NAMES = "twelve one two three four five six seven eight nine ten eleven"
_IS_WEEKDAY = re.compile(
    r"(?:(?:,| --?)? ?\(?|[.,;]? (?=it|that|this|which))"
    r"(?:(?:it|that|this|which)?(?: is|'s| was| will be| falls on| is on)? )?(?:(?:on )?a )?"
)
"""Matches the words between a date and its weekday, as in `15 April, which is a Thursday`."""
_WEEK = 7
_GAP = 25
_YEAR = 366


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A day as a text writes it, from `start` to `end`; parts that the text omits are None.

    `offset` is the number of days from today, for a word such as `tomorrow`. `later` is true if the
    text says `next`. `swapped` is true if day and month may be exchanged, as in 3/4/2027.
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
        """Whether a written day can mean `date`, which recurs each year if `yearly` is set.

        A weekday without a date is at most a week from today, or two weeks if `later`; a day
        without a year is at most a year from today.
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
        is_same = (date.month, date.day) in numbers or (self.month is None and self.day == date.day)
        return is_same and (
            self.year == date.year if self.year is not None else yearly or abs(ahead) <= _YEAR
        )

    def date(self, today: datetime.date) -> datetime.date | None:
        """Return the most likely date, or None if no date is possible."""
        if self.offset is not None or self.day is None:
            ahead = ((self.weekday or 0) - today.weekday()) % _WEEK
            return today + datetime.timedelta(ahead if self.offset is None else self.offset)
        dates = []
        for index in range(today.month - 13, today.month + 12):
            year, month = today.year + index // 12, index % 12 + 1
            if self.month in {None, month} and self.year in {None, year}:
                with suppress(ValueError):
                    dates.append(datetime.date(year, month, self.day))
        # A past day is as likely as a coming day that is three times as far away.
        return min(dates, key=lambda date: max(date - today, 3 * (today - date)), default=None)

    def key(self, today: datetime.date) -> str:
        """Return a key that is equal for two spellings of one day."""
        return str(self.date(today) or f"{self.year}-{self.month}-{self.day}")


def days_in(lower: str) -> list[Day]:
    """Return the days in a text, in order; a weekday beside a date is part of that date."""
    dates = [day for match in _DATES.finditer(lower) if (day := _date(match)) is not None]
    days: list[Day] = []
    starts = [day.start for day in dates]
    for match in _WEEKDAYS.finditer(lower):
        name = match["name"]
        short = match["short"] or match["weekend"]
        weekday = WEEKDAYS.index(name) if name else (_SHORT_DAYS | _WEEKEND)[short]
        index = _date_of_weekday(lower, match, dates, bisect_left(starts, match.start()))
        if index is None:
            later = match["next"] is not None or match["week"] is not None
            number = _OF_MONTH.match(lower, match.end())
            day_number = None if number is None else int(number[1])
            end = match.end() if number is None else number.end()
            days.append(
                Day(start=match.start(), end=end, day=day_number, weekday=weekday, later=later)
            )
        else:
            dates[index] = msgspec.structs.replace(
                dates[index], weekday=weekday, start=min(dates[index].start, match.start())
            )
    for match in _NEAR.finditer(lower):
        offset = _OFFSETS[match.lastgroup or "zero"]
        days.append(Day(start=match.start(), end=match.end(), offset=offset))
    return sorted([*days, *dates], key=lambda day: day.start)


def _date(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    year, month, day_text = (
        next((text for name, text in parts.items() if name[0] == kind and text), None)
        for kind in "ymd"
    )
    day = _ORDINALS.get(day_text or "") or int(day_text or 0)
    number = None if month is None else _MONTHS[month] if month in _MONTHS else int(month)
    if not 1 <= day <= 31 or (number is not None and not 1 <= number <= 31):
        return None
    return Day(
        start=match.start(),
        end=match.end(),
        year=None if year is None else int(year) % 2000 + 2000 if len(year) == 2 else int(year),
        month=number,
        day=day,
        swapped=parts["y4"] is not None,
    )


def _date_of_weekday(lower: str, match: re.Match[str], dates: list[Day], index: int) -> int | None:
    """Return the index of the date directly after or before a weekday, or None without a date."""
    if index < len(dates):
        before = lower[match.end() : dates[index].start][:_GAP]
        if re.fullmatch(r"[,.]?(?: on)?(?: the)? ?\(?", before):
            return index
    if index and _IS_WEEKDAY.fullmatch(lower[dates[index - 1].end : match.start()][:_GAP]):
        return index - 1
    return None


def differ(question_day: Day, reply_day: Day, today: datetime.date) -> bool:
    """Whether two days cannot be the same date; a weekday without a date may be in any week."""
    date, reply_date = question_day.date(today), reply_day.date(today)
    if date is None or reply_date is None:
        return False
    if any(day.day is None and day.offset is None for day in (question_day, reply_day)):
        return date.weekday() != reply_date.weekday()
    return not msgspec.structs.replace(reply_day, weekday=None).is_day(date, today)
