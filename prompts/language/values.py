"""Values as people write them: whether a text states a number, date, time or title."""

import datetime
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_SHORT_DATE = re.compile(r"(\d{1,4})[-/.](\d{1,2})(?:[-/.](\d{1,4}))?")
_DATES = re.compile(r"\b\d{1,4}[-/]\d{1,2}[-/]\d{1,4}\b")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]\.?m\.?)?", re.IGNORECASE)
_SMALL_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_MONTHS_TEXT = (
    "january february march april may june july august september october november december"
)
_SMALL = _SMALL_TEXT.split()
_TENS = _TENS_TEXT.split()
_MONTHS = _MONTHS_TEXT.split()
_UNITS = {word: number for number, word in enumerate(_SMALL)}
_UNITS |= {word: 20 + 10 * number for number, word in enumerate(_TENS)}
_GROUPS = {"dozen": 12, "couple": 2, "pair": 2, "single": 1}
_FACTORS = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9}


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Lower case, compatible forms unified, runs of punctuation and blanks as one blank."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded))


def title_words(name: str) -> str:
    """An identifier as words: `isAfter_Noon` is "is after noon"."""
    return plain(_CAMEL.sub(" ", name))


def read_number(text: str) -> float | None:
    """The number a whole text is, None when it is none."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    return float(stripped.replace(",", ""))


def numbers_in(text: str) -> Iterator[float]:
    """Numbers in a text: digits with separators, numbers in words, ordinals.

    Dates and times are left out: the 3 of 3/8 counts nothing.
    """
    rest = _TIME.sub(" ", _DATES.sub(" ", text))
    for found in _NUMBER.findall(rest):
        yield abs(float(found.replace(",", "").lstrip("+")))
    yield from _spoken_numbers(plain(rest).split())


def _spoken_numbers(words: list[str]) -> Iterator[float]:
    """Every run of number words as one number: "fifteen hundred", "two thousand and five"."""
    total, part, running = 0, 0, False
    for word in [*words, ""]:
        if word in _UNITS:
            part, running = part + _UNITS[word], True
        elif word in _FACTORS and running:
            part = max(part, 1) * _FACTORS[word]
            if word != "hundred":
                total, part = total + part, 0
        elif not (word == "and" and running):
            if running:
                yield float(total + part)
            total, part, running = 0, 0, False
            if word in _GROUPS:
                yield float(_GROUPS[word])
            elif word in _ORDINALS:
                yield float(_ORDINALS[word])
            elif word in _FACTORS:
                yield float(_FACTORS[word])


def states(text: str, value: str, titles: tuple[str, ...] = ()) -> bool:
    """Whether a text states a value, or one of the titles people know it by."""
    return any(_states_one(text, candidate) for candidate in (value, *titles))


def _states_one(text: str, value: str) -> bool:
    number = read_number(value)
    if number is not None:
        return any(found == abs(number) for found in numbers_in(text))
    date = _DATE.fullmatch(value.strip())
    if date is not None:
        return _states_date(text, date)
    time = _TIME.fullmatch(value.strip())
    if time is not None:
        return _states_time(text, time)
    wanted = plain(value)
    if not wanted:
        # A value of signs alone (an emoji, "->") must stand there as it is.
        return not value.strip() or value.strip() in text
    shown = f" {plain(text)} "
    if f" {wanted} " in shown:
        return True
    spaced = title_words(value)
    return spaced != wanted and f" {spaced} " in shown


def _states_date(text: str, date: re.Match[str]) -> bool:
    """A date in digits, or day and month in words; the year may be left out."""
    year, month, day = (int(part) for part in date.groups())
    try:
        datetime.date(year, month, day)
    except ValueError:
        return date.group() in text
    for found in _SHORT_DATE.finditer(text):
        parts = [int(part) for part in found.groups() if part is not None]
        if {month, day} <= set(parts) and all(
            part in {year, year % 100, month, day} for part in parts
        ):
            return True
    words = plain(text).split()
    name = _MONTHS[month - 1]
    months = [i for i, word in enumerate(words) if word in {name, name[:3], name[:4]}]
    days = [i for i, word in enumerate(words) if _day_of(word) == day]
    if any(abs(i - j) <= 2 for i in months for j in days):  # "the 8th of March"
        return True
    # "on the 8th" with the month understood; another month named would contradict it.
    named = [word for word in words if word in _MONTHS]
    return not named and any(words[j][-1].isalpha() for j in days)


def _day_of(word: str) -> int | None:
    digits = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", word)
    return int(digits.group(1)) if digits else _ORDINALS.get(word)


def _states_time(text: str, time: re.Match[str]) -> bool:
    wanted = _minutes(time)
    for found in _TIME.finditer(text):
        stated = _minutes(found)
        if stated == wanted or (found.group(3) is None and (stated + 720) % 1440 == wanted):
            return True
    for hour, half in re.findall(r"\b(\d{1,2})\s*([ap])\.?m\b", text, re.IGNORECASE):
        if int(hour) % 12 * 60 + (720 if half in "pP" else 0) == wanted:
            return True
    words = f" {plain(text)} "
    named = {0: " midnight ", 720: " noon "}.get(wanted)
    if named is not None and named in words:
        return True
    if wanted % 60 == 0 and (wanted // 60) in _hours_of_day(words):
        return True
    return wanted % 720 // 60 in _hours_spoken(words, wanted % 60)


def _hours_of_day(words: str) -> set[int]:
    """Hours said with their part of the day: "six in the morning"."""
    hour = r"(\d{1,2}|" + "|".join(_SMALL[1:13]) + ")"
    found = re.findall(rf" {hour} (?:in the|at) (morning|afternoon|evening|night)", words)
    return {_hour(word) % 12 + (0 if part == "morning" else 12) for word, part in found}


def _hours_spoken(words: str, minute: int) -> set[int]:
    """Hours said with "o'clock", "half past" or "quarter past/to", modulo twelve."""
    hour = r"(\d{1,2}|" + "|".join(_SMALL[1:13]) + ")"
    patterns = {
        0: (rf" {hour} o clock ", 0),
        15: (rf" quarter past {hour} ", 0),
        30: (rf" half past {hour} ", 0),
        45: (rf" quarter to {hour} ", -1),
    }
    if minute not in patterns:
        return set()
    pattern, shift = patterns[minute]
    return {(_hour(found) + shift) % 12 for found in re.findall(pattern, words)}


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else _SMALL.index(word)


def _minutes(time: re.Match[str]) -> int:
    hour, minute, half = time.groups()
    hours = int(hour)
    if half:
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    return hours % 24 * 60 + int(minute)
