"""Extract numbers, dates, quotations and words from a text and from its shortcut or plan.

Checks drop a text with details that its shortcut or plan does not contain.
"""

import datetime
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

import msgspec

from benchloom.normalise.shortcuts.languages import english_confidence
from prompts.checks._paraphrases import paraphrases
from prompts.language.statements import last_within
from prompts.language.statements.items import items_of, normal, word_at
from prompts.language.statements.numbers import with_numbers
from prompts.language.statements.times import clocks_of
from prompts.language.words import MONTHS, POINTLESS, WEEKDAYS, plain, stem, title_words
from prompts.subject import Subject, Value

_MONTH = "|".join(MONTHS)
_NUMERIC_DATE = re.compile(
    r"(?<![\w/-])(?:\d{4}[-/])?(\d{1,2})[-/](\d{1,2})(?:[-/]\d{2,4})?(?![\w/-])"
)
_NAMED_MONTH = re.compile(
    rf"\b({_MONTH})\.? (?:the )?\d|\d(?:st|nd|rd|th)? (?:of )?({_MONTH})\b|"
    rf"\b(?:in|of|last|next|since|until|every) ({_MONTH})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile('["\u201c]([^"\u201c\u201d]{2,80})["\u201d]')
LEAST_CONFIDENCE = 0.01
"""Minimum probability of English for a text in English. Short English texts with names reach 0.03,
texts in other languages stay below 0.003."""
OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
"""Matches a letter that is not Latin."""
_QUOTED_VALUE = re.compile(r'(?<!variable: )"((?:[^"\\\n]|\\.){1,200})"')
_CODE = re.compile(r"[<>{}\[\]=/]")
_DATE = re.compile(r"(?<!\w)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
_STEP_NUMBER = re.compile(r"\bstep \d+|\[\d+ characters, sha256 \w+\]")
"""Matches step numbers and digests in a workflow that is written out as text. They are removed,
because the author of the workflow did not write them."""
_NUMBER = re.compile(r"\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?")
_FACTORS = (60, 1000, 7, 24)
_DIVISORS = (*_FACTORS, 3600, 86_400, 100)
"""Factors between seconds, hours, days and weeks, between metric units, and for percentages."""


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A number that a text mentions, and the digits or words that express it."""

    number: float
    quote: str


def numbers_of(text: str) -> Iterator[Mention]:
    """Yield every number that a text mentions in digits or words.

    A clock time yields two numbers, the hour and the minute. Fractions in words are left out, and
    so are ordinals in words unless a month is beside them.
    """
    text = normal(text)
    items = with_numbers(items_of(text))
    times = {clock.start for clock in clocks_of(items)}
    for i, item in enumerate(items):
        quote = text[item.start : item.end]
        if item.kind == "clock" or (i in times and "." in item.word):
            parts = item.word.replace(".", ":").split(":")
            yield from (Mention(float(part), quote) for part in parts[:2])
        elif item.kind == "code" and item.word.isdigit() and not text[item.start - 1].isalpha():
            yield Mention(float(item.word), quote)
        elif item.kind == "number" and not item.fraction:
            beside = {word_at(items, i + step) for step in (-2, -1, 1, 2)}
            if not item.ordinal or item.word[0].isdigit() or beside & set(MONTHS):
                yield Mention(abs(item.value), quote)


def dates_of(text: str) -> dict[str, tuple[int, int]]:
    """Return every date in digits, mapped to its two numbers for day and month.

    The two numbers are in the order of the text, so either may be the day.
    """
    return {
        match.group(): (int(match.group(1)), int(match.group(2)))
        for match in _NUMERIC_DATE.finditer(text)
    }


def months_of(text: str) -> set[str]:
    """Return the months that a text names beside a day or after a word such as "in" or "until"."""
    return {
        part.lower() for match in _NAMED_MONTH.finditer(text) for part in match.groups() if part
    }


def weekdays_of(text: str) -> set[str]:
    """Return the days of the week that a text names."""
    return {word for word in WEEKDAYS if re.search(rf"\b{word}s?\b", text, re.IGNORECASE)}


def quotations_of(text: str) -> list[str]:
    """Return the passages of a text that are in double quotation marks."""
    return [match.group(1) for match in _QUOTED.finditer(text)]


def values_about(subject: Subject) -> tuple[str, ...]:
    """Return the texts of a shortcut or plan that may contain values, without the names of APIs."""
    values = (*subject.required, *subject.hidden)
    return (
        *(text for v in values for text in (*_texts_of(v), last_within(v)) if text),
        *(v.value for call in subject.calls for v in call.values),
        *(_STEP_NUMBER.sub(" ", source) for source in subject.sources),
        *subject.descriptions,
    )


def texts_about(subject: Subject) -> tuple[str, ...]:
    """Return all texts of a shortcut or plan, including the names of APIs and parameters."""
    own = (v for call in subject.calls for v in call.values)
    values = (*subject.required, *subject.hidden, *own)
    return (
        *(text for v in values for text in (*_texts_of(v), v.name) if text),
        *(text for call in subject.calls for text in call.words),
        *subject.sources,
        *subject.descriptions,
        *subject.technical,
    )


def _texts_of(value: Value) -> tuple[str, ...]:
    return (value.value, *value.titles, value.label, value.about)


def quoted_values(subject: Subject) -> tuple[str, ...]:
    """Return the strings in quotation marks in a shortcut's workflow, without code and markup."""
    return (
        tuple(
            value for value in _QUOTED_VALUE.findall(subject.sources[-1]) if not _CODE.search(value)
        )
        if subject.sources
        else ()
    )


def is_readable(subject: Subject) -> bool:
    """Whether the author's texts are English, so that an English text can be compared with them."""
    return not is_foreign(own_words(subject))


def own_words(subject: Subject) -> str:
    """Return the words of a shortcut's author: names, comments, and strings in the workflow."""
    return " ".join((*subject.sources[:-1], *quoted_values(subject)))


@lru_cache(maxsize=64)
def is_foreign(text: str) -> bool:
    """Whether a text is in another script, or in another language than English."""
    return OTHER_SCRIPT.search(text) is not None or english_confidence(text) < LEAST_CONFIDENCE


def numbers_in(texts: tuple[str, ...]) -> frozenset[float]:
    """Return the numbers in texts, and those that people say for times: 8 and 15 for 7:45."""
    return frozenset(number for text in texts for number in _numbers_in(text))


@lru_cache(maxsize=1024)
def _numbers_in(text: str) -> frozenset[float]:
    numbers: set[float] = set()
    for year, month, day in _DATE.findall(text):
        numbers |= {float(year), float(day), float(int(year) % 100)}
        if text.strip() != f"{year}-{month}-{day}":
            numbers.add(float(month))
    bare = _DATE.sub(" ", text)
    for hour, minute in _TIME.findall(bare):
        numbers |= set(_clock(int(hour), int(minute)))
    bare = _TIME.sub(" ", bare)
    numbers |= {mention.number for mention in numbers_of(bare)}
    numbers |= {float(part.replace(",", "")) for part in _NUMBER.findall(bare)}
    return frozenset(numbers)


def _clock(hour: int, minute: int) -> Iterator[float]:
    """Yield the numbers that people may say for a time: 19, 7, 45, 15, 8 and 20 for 19:45."""
    yield from (float(hour), float((hour - 1) % 12 + 1), float(minute))
    if minute:
        yield from (float(60 - minute), float(hour % 12 + 1), float((hour + 1) % 24))


def is_supported(number: float, numbers: AbstractSet[float], *, converted: bool) -> bool:
    """Whether `numbers` contains a number or, if `converted`, the same amount in another unit."""
    if not converted:
        return number in numbers
    return any(_same(number, other) for n in numbers for other in _conversions(n))


def _conversions(number: float) -> Iterator[float]:
    yield number
    if number < 2:  # a factor: 0.34 is 34 percent, 1.15 is 15 percent more
        yield from (number * 100, (number - 1) * 100, (1 - number) * 100)
    yield from (number / divisor for divisor in _DIVISORS)
    yield from (number * factor for factor in _FACTORS)


def _same(number: float, other: float) -> bool:
    return number in {other, round(other), round(other, 1), round(other, 2)}


def days_in(texts: tuple[str, ...]) -> set[frozenset[int]]:
    """Return the day and month of every date in the texts, as unordered pairs."""
    return {frozenset((int(month), int(day))) for _, month, day in _DATE.findall(" ".join(texts))}


def months_in(texts: tuple[str, ...]) -> set[str]:
    """Return the names of the months that the texts mention by name or in a date."""
    joined = " ".join(texts)
    months = {
        MONTHS[int(month) - 1] for _, month, _ in _DATE.findall(joined) if 1 <= int(month) <= 12
    }
    words = set(plain(joined).split())
    return months | {name for name in MONTHS if name in words or name[:3] in words}


def weekdays_in(texts: tuple[str, ...]) -> set[str]:
    """Return the days of the week that the texts name, and those of the dates in the texts."""
    weekdays = {day for day in WEEKDAYS for text in texts if day in text.lower()}
    for year, month, day in _DATE.findall(" ".join(texts)):
        try:
            weekdays.add(WEEKDAYS[datetime.date(int(year), int(month), int(day)).weekday()])
        except ValueError:
            continue
    return weekdays


@lru_cache(maxsize=64)
def stems_in(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of the texts' words, and of everyday words for services that they name."""
    stems = {stem(word) for text in texts for word in title_words(text).split()} - POINTLESS
    return frozenset(stems) | paraphrases(frozenset(stems))


def content_stems(text: str) -> set[str]:
    """Return the stems of a text's words, without words that have no meaning alone ("the")."""
    return {stem(word) for word in plain(text).split()} - POINTLESS
