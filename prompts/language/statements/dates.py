"""Find the days that a text names: "from March 1st until the 11th", "3/11", "next Monday"."""

import bisect
import datetime
import re
from collections.abc import Iterator, Sequence

import msgspec

from prompts.language.statements.items import Item, word_at
from prompts.language.words import MONTHS, WEEKDAYS, word_set

_MONTHS = {
    name[:length]: number
    for number, name in enumerate(MONTHS, start=1)
    for length in (3, 4, len(name))
}
_WEEKDAYS = {name: number for number, name in enumerate(WEEKDAYS)}
_WEEKDAYS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
_OF_DIGITS = frozenset({"date", "number"})
_NAMES = frozenset({*_MONTHS, *_WEEKDAYS, "sept"})
_SLASHED = re.compile(r"([0-9]{1,2}) / ([0-9]{1,2})")
_STRONG = {"-", "to", "until", "till", "through", "thru", "til"}
_LINKS = _STRONG | {",", "and", "or", "&", "/"}
_SKIPPED = {"the", "on", *_WEEKDAYS}
_LONGEST_LIST = 12
_NEAR = 4
"""Maximum number of words between a day and its month."""
_BEHIND_DAY = {
    "", ",", ".", ";", "!", "?", ")", "(", "-", '"', "at", "for", "in", "on", "with", "to", "until",
    "till", "by", "please", "and", "or", "but", "from", "of", "is", "works", "instead", "if",
    "would", "will", "then", "so", "through", "because", "around", "after", "before", "this",
    "next", "should", "i", "we", "the", "&", "/", "as", "too", "also", "morning",
    "evening", "afternoon", "night", "when", "that", "thru", "which", "are", "there", "you",
}  # fmt: skip
_BEFORE_DAY = {"on", "until", "till", "by", "from", "through"}
_ORDINAL_NOUNS = word_set(
    "floor street avenue ave st row table item one place time class grade hole anniversary page "
    "line entry song track try attempt day month week hour minute half part step level list"
)


class Day(msgspec.Struct, frozen=True, gc=False):
    """A day that a text names; `start` and `end` delimit the items (words, signs) that name it.

    `month` is 0 if only the day is named, and `months` then has the months that it may be in;
    `year` is 0 if the text has none. With `either`, day and month may be swapped (3/11). `weekday`
    is -1 unless only the day of the week is named. `lead` is the index of the first item of the
    whole date, including weekday and month.
    """

    day: int
    month: int
    year: int
    start: int
    end: int
    either: bool = False
    weekday: int = -1
    months: tuple[int, ...] = ()
    lead: int = -1

    def means(self, expected_date: datetime.date, *, year: bool = True) -> bool:
        """Whether this day can be `expected_date`; parts that the text omits match any date."""
        if self.weekday >= 0:
            return year and expected_date.weekday() == self.weekday
        if year and self.year and self.year % 100 != expected_date.year % 100:
            return False
        if self.month == 0:
            return expected_date.day == self.day and (
                not self.months or expected_date.month in self.months
            )
        if (self.day, self.month) == (expected_date.day, expected_date.month):
            return True
        return self.either and (self.month, self.day) == (expected_date.day, expected_date.month)


def month_of(word: str) -> int:
    """Return the number of the month that a word names, or 0."""
    return _MONTHS.get(word, 9 if word == "sept" else 0)


def days_of(items: Sequence[Item]) -> tuple[Day, ...]:
    """Return every day that the items name.

    A day without a month gets the month that the text names before or after the day.
    """
    if not any(item.kind in _OF_DIGITS or item.word in _NAMES for item in items):
        return ()
    days: list[Day] = []
    taken: set[int] = set()
    for day in (*_numeric(items), *_around_months(items)):
        if not taken & set(range(day.start, day.end)):
            days.append(day)
            taken.update(range(day.start, day.end))
    days.extend(_bare(items, taken, days))
    days.extend(_named_weekdays(items, taken))
    return tuple(
        day if day.lead >= 0 else msgspec.structs.replace(day, lead=_lead(items, day.start))
        for day in sorted(days, key=lambda day: day.start)
    )


def _numeric(items: Sequence[Item]) -> Iterator[Day]:
    for i, item in enumerate(items):
        if item.kind == "date":
            parts = [int(part) for part in item.word.replace("/", "-").replace(".", "-").split("-")]
            if parts[0] > 31:
                year, month, day = parts
                yield from _possible_days(Day(day, month, year, i, i + 1))
            else:
                first, second, year = parts
                yield from _possible_days(Day(second, first, year, i, i + 1, either=True))
        elif item.kind == "number" and (parted := _SLASHED.fullmatch(item.word)):
            # "3/8" was taken for three eighths; it may be a day as well.
            first, second = (int(part) for part in parted.groups())
            yield from _possible_days(Day(second, first, 0, i, i, lead=i, either=True))
        elif (
            item.kind == "number"
            and item.word.isdigit()
            and word_at(items, i + 1) in {"/", "."}
            and _is_day(items, i + 2)
            and items[i + 1].glued
            and items[i + 2].glued
        ):
            yield from _possible_days(
                Day(int(items[i + 2].value), int(item.value), 0, i, i + 3, either=True)
            )


def _possible_days(day: Day) -> Iterator[Day]:
    if 1 <= day.day <= 31 and 1 <= day.month <= 31 and min(day.day, day.month) <= 12:
        yield day


def _around_months(items: Sequence[Item]) -> Iterator[Day]:
    for i, item in enumerate(items):
        month = month_of(item.word) if item.kind == "word" else 0
        if not month:
            continue
        before = _before(items, i)
        after = _after(items, i, alone=not before)
        last = max([i, *after])
        year, end = _year(items, last + 1)
        for index in (*before, *after):
            lead = i if index == min(after, default=-1) else index
            day = int(items[index].value)
            yield Day(day, month, year, index, index + 1, lead=_lead(items, lead))
        if (before or after) and end > last + 1:
            # The year belongs to the date: nothing else is counted with it.
            yield Day(0, month, year, last + 1, end)


def _lead(items: Sequence[Item], i: int) -> int:
    """Return the index of the first word of the date around item `i`; a weekday is part of it."""
    j = i - 1
    while j >= 0 and j >= i - 3 and word_at(items, j) in {",", "the"}:
        j -= 1
    return j if j >= 0 and word_at(items, j) in _WEEKDAYS else i


def _before(items: Sequence[Item], i: int) -> list[int]:
    """Return the indexes of all days that precede the month at `i`: "3rd, 4th and 9th of May"."""
    day_indices: list[int] = []
    j = i - 1
    while (
        j >= 0
        and j >= i - _NEAR
        and word_at(items, j) in {"of", "next", "this", "day", ",", ".", "-"}
    ):
        j -= 1
    plain = j == i - 1
    while j >= 0 and len(day_indices) < _LONGEST_LIST and _is_day(items, j):
        if not day_indices and not plain and not items[j].ordinal and word_at(items, j + 1) != "of":
            break
        day_indices.append(j)
        k = j - 1
        while k >= 0 and word_at(items, k) in _SKIPPED:
            k -= 1
        if word_at(items, k) not in _LINKS or month_of(word_at(items, k - 2)):
            break
        link = word_at(items, k)
        k -= 1
        if k >= 0 and word_at(items, k) in _LINKS:
            k -= 1
        while k >= 0 and word_at(items, k) in _SKIPPED - {"on"}:
            k -= 1
        if k < 0 or not _is_day(items, k) or month_of(word_at(items, k - 1)):
            break
        if not items[k].ordinal and (link not in _STRONG or items[day_indices[0]].ordinal):
            break
        j = k
    return day_indices


def _after(items: Sequence[Item], i: int, *, alone: bool) -> list[int]:
    """Return the indexes of days that follow a month: "March 1st to 11th", "May 3, 4 and 9"."""
    day_indices: list[int] = []
    j = i + 1
    while j < len(items) and word_at(items, j) in {"the", "."}:
        j += 1
    if not alone or not _is_day(items, j) or (_unit_behind(items, j) and not items[j].ordinal):
        return day_indices
    while len(day_indices) < _LONGEST_LIST:
        day_indices.append(j)
        k = j + 1
        links: list[str] = []
        while k < len(items) and len(links) < 3 and word_at(items, k) in _LINKS | _SKIPPED:
            links.append(word_at(items, k))
            k += 1
        if not set(links) & _LINKS or not _is_day(items, k) or month_of(word_at(items, k + 1)):
            break
        if word_at(items, k + 1) == "of" and month_of(word_at(items, k + 2)):
            break
        if not items[k].ordinal and (
            not items[k].digits or word_at(items, k + 1) not in _BEHIND_DAY
        ):
            break
        if not items[k].ordinal and word_at(items, k + 1) in {"of", "to"}:
            break
        if not items[k].ordinal and "," in links and "and" not in links and len(day_indices) == 1:
            more = word_at(items, k + 1) in {",", "and"} and _is_day(items, k + 2)
            if not more:
                break
        j = k
    return day_indices


def _unit_behind(items: Sequence[Item], j: int) -> bool:
    """Whether a unit follows the number: "May 20 dollars" names no day, "May 20 Denver" does."""
    behind = word_at(items, j + 1)
    return behind in {"dollars", "bucks", "percent", "%", "minutes", "hours", "people", "guests"}


def _year(items: Sequence[Item], j: int) -> tuple[int, int]:
    k = j
    while k < len(items) and k < j + 2 and word_at(items, k) in {",", "of", "in"}:
        k += 1
    if k < len(items) and items[k].digits and 1900 <= items[k].value <= 2100:
        return int(items[k].value), k + 1
    return 0, j


def _bare(items: Sequence[Item], taken: set[int], dated: Sequence[Day]) -> Iterator[Day]:
    """Yield days without a month ("on the 8th"), with the month that the text last named.

    If the text names a month only later, the first of its months is used.
    """
    month_mentions = [(day.start, day.month) for day in dated if day.month and day.day]
    month_mentions += [
        (i, month_of(item.word)) for i, item in enumerate(items)
        if item.kind == "word" and len(item.word) > 3 and month_of(item.word)
        and item.word not in {"march", "may"}
    ]  # fmt: skip
    month_mentions.sort()
    for i, item in enumerate(items):
        if i in taken or not item.ordinal or not _is_day(items, i):
            continue
        led = word_at(items, i - 1) == "the" and word_at(items, i - 2) in _BEFORE_DAY
        named = word_at(items, i + 1) in _ORDINAL_NOUNS if led else (
            word_at(items, i + 1) not in _BEHIND_DAY
        )  # fmt: skip
        of_month = word_at(items, i + 1) == "day" and word_at(items, i + 2) == "of"
        if (named and not of_month) or not _leads(items, i):
            continue
        nearest = max(bisect.bisect_left(month_mentions, (i, 0)) - 1, 0)
        months = tuple(month for _, month in month_mentions[nearest : nearest + 1])
        yield Day(int(item.value), 0, 0, i, i + 1, months=months)


def _leads(items: Sequence[Item], i: int) -> bool:
    if "first" not in items[i].word and "second" not in items[i].word:
        return True
    return word_at(items, i - 1) == "the" and word_at(items, i - 2) in _LINKS | {"on", "by", "from"}


def _named_weekdays(items: Sequence[Item], taken: set[int]) -> Iterator[Day]:
    """Yield weekdays that are dates by themselves, and skip weekdays next to a date."""
    for i, item in enumerate(items):
        weekday = _WEEKDAYS.get(item.word, -1) if item.kind == "word" else -1
        if weekday < 0:
            continue
        j = i + 1
        while word_at(items, j) in {",", "the"}:
            j += 1
        k = i - 2 if word_at(items, i - 1) in {",", "("} else i - 1
        before = month_of(word_at(items, k)) or k in taken
        if not (before or j in taken or (month_of(word_at(items, j)) and j + 1 in taken)):
            yield Day(0, 0, 0, i, i + 1, weekday=weekday)


def _is_day(items: Sequence[Item], i: int) -> bool:
    if not 0 <= i < len(items) or items[i].kind != "number" or items[i].fraction:
        return False
    return items[i].value == int(items[i].value) and 1 <= items[i].value <= 31
