"""The details in a text that need a source: numbers, months, weekdays, quotations."""

import calendar
import re
from collections.abc import Iterator

import msgspec

_ONES = "zero one two three four five six seven eight nine".split()  # noqa: SIM905  shorter to read
_TEENS = ("ten", "eleven", "twelve", *(f"{one}teen" for one in ("thir", "four", "fif", "six")))
_TEENS += tuple(f"{one}teen" for one in ("seven", "eigh", "nine"))
_SMALL = {word: number for number, word in enumerate((*_ONES, *_TEENS))}
_TENS_OF = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
_TENS = {f"{one}ty": 10 * number for number, one in enumerate(_TENS_OF, start=2)}
MONTHS = {calendar.month_name[number].lower(): number for number in range(1, 13)}
_FACTORS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_DAYS_TEXT = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_DAYS = {word: number for number, word in enumerate(_DAYS_TEXT.split(), start=1)}
_MONTH = "|".join(MONTHS)
_SPOKEN = re.compile(rf"(?<![a-z])(?:{'|'.join((*_SMALL, *_TENS))})(?![a-z])", re.IGNORECASE)
"""Words with which every number in words begins."""
COUNTING = re.compile(
    rf"\d|(?<![a-z])(?:{'|'.join((*_SMALL, *_TENS, *_DAYS))})(?![a-z])", re.IGNORECASE
)
"""Digits and number words; a text without a match contains no number."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Digits that belong to a word ("MP3", "B12") count nothing. Bounded runs keep it linear.
_DIGITS = re.compile(
    r"(?<![\w.,])(\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,15})?)(st|nd|rd|th|[apk]\.?m\.?|%)?(?![\w])",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\w:])(\d{1,2}):(\d{2})(?![\w:])")
_NUMERIC_DATE = re.compile(
    r"(?<![\w/-])(?:\d{4}[-/])?(\d{1,2})[-/](\d{1,2})(?:[-/]\d{2,4})?(?![\w/-])"
)
_ONE_WAY = re.compile(r"\bone[- ]way\b|\bone[- ]on[- ]one\b", re.IGNORECASE)
_A_HUNDRED = re.compile(r"\ba(?= (?:hundred|thousand|million|billion)\b)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"\b({'|'.join(_DAYS)})(?: day)? of (?:{_MONTH})\b|"
    rf"\b(?:{_MONTH}) (?:the )?({'|'.join(_DAYS)})\b",
    re.IGNORECASE,
)
_NAMED_MONTH = re.compile(
    rf"\b({_MONTH})\.? (?:the )?\d|\d(?:st|nd|rd|th)? (?:of )?({_MONTH})\b|"
    rf"\b(?:in|of) ({_MONTH})\b",
    re.IGNORECASE,
)
_QUOTED = re.compile('["\u201c]([^"\u201c\u201d]{2,80})["\u201d]')


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A number in a text, with the words or digits that express it."""

    number: float
    quote: str


def numbers_of(text: str) -> Iterator[Mention]:
    """Yield every independent number in digits or words; a clock time gives two numbers."""
    text = _A_HUNDRED.sub("one", text)
    if not COUNTING.search(text):
        return
    rest = text
    for match in _CLOCK.finditer(text):
        yield from (Mention(float(part), match.group()) for part in match.groups())
    rest = _NUMERIC_DATE.sub(" ", _CLOCK.sub(" ", _ONE_WAY.sub(" ", rest)))
    for match in _DIGITS.finditer(rest):
        yield Mention(float(match.group(1).replace(",", "")), match.group().strip())
    for match in _ORDINAL.finditer(rest):
        word = (match.group(1) or match.group(2)).lower()
        yield Mention(float(_DAYS[word]), match.group())
    yield from _spoken(rest)


def _spoken(text: str) -> Iterator[Mention]:
    """Yield each run of number words as a number, such as "twenty-five" or "two million"."""
    first = _SPOKEN.search(text)
    if first is None:
        return
    total = part = 0
    said: list[str] = []
    for word in [*(match.group().lower() for match in _WORD.finditer(text, first.start())), ""]:
        if word in _SMALL or word in _TENS:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
        elif word in _FACTORS and said:
            part = max(part, 1) * _FACTORS[word]
            if word != "hundred":
                total, part = total + part, 0
        elif word == "and" and said and said[-1] in _FACTORS:
            continue
        else:
            if said:
                yield Mention(float(total + part), " ".join(said))
            total, part, said = 0, 0, []
            continue
        said.append(word)


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
