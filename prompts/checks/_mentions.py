"""The details in a text that need a source: numbers, months, weekdays, quotations."""

import calendar
import re
from collections.abc import Iterator

import msgspec

from prompts.language.saying.items import items_of, normal, word_at
from prompts.language.saying.numbers import with_numbers
from prompts.language.saying.times import clocks_of

MONTHS = {calendar.month_name[number].lower(): number for number in range(1, 13)}
_MONTH = "|".join(MONTHS)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMERIC_DATE = re.compile(
    r"(?<![\w/-])(?:\d{4}[-/])?(\d{1,2})[-/](\d{1,2})(?:[-/]\d{2,4})?(?![\w/-])"
)
_NAMED_MONTH = re.compile(
    rf"\b({_MONTH})\.? (?:the )?\d|\d(?:st|nd|rd|th)? (?:of )?({_MONTH})\b|"
    rf"\b(?:in|of|last|next|since|until|every) ({_MONTH})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile('["\u201c]([^"\u201c\u201d]{2,80})["\u201d]')


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A number in a text, with the words or digits that express it."""

    number: float
    quote: str


def numbers_of(text: str) -> Iterator[Mention]:
    """Yield every independent number in digits or words; a clock time gives two numbers.

    Fractions in words and ordinals in words away from a month count nothing.
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
            if not item.ordinal or item.word[0].isdigit() or beside & MONTHS.keys():
                yield Mention(abs(item.value), quote)


def dates_of(text: str) -> dict[str, tuple[int, int]]:
    """Return the possible day and month of every date in digits, by its form in the text.

    Day and month may be in either order.
    """
    return {
        match.group(): (int(match.group(1)), int(match.group(2)))
        for match in _NUMERIC_DATE.finditer(text)
    }


def months_of(text: str) -> set[str]:
    """Return the months named beside a day, or after "in" and "of"."""
    return {
        part.lower() for match in _NAMED_MONTH.finditer(text) for part in match.groups() if part
    }


def weekdays_of(text: str) -> set[str]:
    """Return the days of the week named in a text."""
    return {word for word in WEEKDAYS if re.search(rf"\b{word}s?\b", text, re.IGNORECASE)}


def quotations_of(text: str) -> list[str]:
    """Return the texts in double quotation marks."""
    return [match.group(1) for match in _QUOTED.finditer(text)]
