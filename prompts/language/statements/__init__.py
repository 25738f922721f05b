"""Decide whether a text states a value, in any of the wordings that people use for it."""

import bisect
import datetime
import re
from functools import lru_cache

from prompts.language.statements.amounts import Amount
from prompts.language.statements.hints import hints_of
from prompts.language.statements.items import normal
from prompts.language.statements.names import states_text
from prompts.language.statements.numeric import states_amount, states_number
from prompts.language.statements.reading import Reading, negated, not_yet, read, read_anew
from prompts.language.statements.switches import TRUE, states_switch, topic_of
from prompts.language.statements.units import Unit
from prompts.language.words import stem
from prompts.subject import Value

__all__ = ["last_within", "says"]


_NUMBER = re.compile(
    r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?"
)
_DECIMAL_COMMA = re.compile(r"(?<=^[0-9]),(?=[0-9]{1,2}$)")
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::[0-9.]+)?(?:Z|[-+][0-9:]+)?"
)
_TELEPHONE = re.compile(r"\+?[0-9(][0-9() .-]*")
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_SPAN = re.compile(
    r"P(?:([0-9]{1,4})D)?(?:T(?:([0-9]{1,4})H)?(?:([0-9]{1,4})M)?(?:([0-9]{1,8})S)?)?"
)
_COMPARED = frozenset({"WFNumberValue", "WFConditionalActionString"})
_OF_TIME = re.compile(r"(?:formatted date|hour|time|date|number)\b", re.IGNORECASE)
_NOUN_ENDING = re.compile(r"[_ ](?:language|type|kind|option)$", re.IGNORECASE)
_LONGEST_NUMBER = 15
_OPPONENTS = re.compile(r"(.{2,40}?) (?:vs?\.?|versus) (.{2,40})", re.IGNORECASE)
_FORM = re.compile(r"[a-z]{3,20}(?:ing|ion)")
"""Matches words of which people use the verb as well as the noun: "walking", "translation"."""
_PHRASES_FOR = {
    "walking": ("on foot",),
    "driving": ("by car",),
    "cycling": ("by bike", "by bicycle"),
    "transit": ("public transport",),
    "rent": ("rental", "to let", "tenant"),
    "buy": ("purchase", "for sale"),
    "hourly": ("hour by hour", "every hour", "each hour", "by the hour"),
    "daily": ("day by day", "every day", "each day"),
    "weekly": ("week by week", "every week", "each week"),
}
_ON_OFF = {"on", "off"}
_BELOW, _ABOVE = "is less than", "is greater than"
_AT_MOST = re.compile(
    r"\b(?:up to|at (?:the )?most|(?:no|not) more than|or (?:fewer|less|below))\b"
)
_AT_LEAST = re.compile(
    r"\b(?:at (?:the )?least|(?:no|not) (?:less|fewer) than|or (?:more|above))\b"
)
_LEAP_YEAR = 2000
_ANY = ("any ", "don't care", "doesn't matter", "no preference", "dont care", "either ",
        "not matter", "whichever", "whatever", "do not care", "not particular",
        "do not have a preference", "anything", "not picky", "don't mind", "anywhere")  # fmt: skip


def says(text: str, entry: Value) -> bool:
    """Whether a text states the value of a parameter, or one of the value's titles.

    `label`, `about` and `name` of the entry show what a number counts or measures and what a switch
    turns on. A value that the text excludes ("not on Monday") does not count as stated.
    """
    reading = read(text)
    if any(_says_value(reading, value, entry) for value in (entry.value, *entry.titles)):
        return True
    last = last_within(entry)
    if not last:
        return False
    words = _AT_MOST if entry.label.endswith(_BELOW) else _AT_LEAST
    return words.search(reading.text.casefold()) is not None and _says_value(reading, last, entry)


def last_within(entry: Value) -> str:
    """Return the last whole number that a limit allows, or "" for other values.

    It is 5 for "is less than 6", and 7 for "is greater than 6".
    """
    if not entry.value.strip().isdecimal() or not entry.label.endswith((_BELOW, _ABOVE)):
        return ""
    return str(int(entry.value) + (-1 if entry.label.endswith(_BELOW) else 1))


def _says_value(reading: Reading, value: str, entry: Value) -> bool:
    stripped_value = _DECIMAL_COMMA.sub(".", value.strip())
    if stripped_value.casefold() in TRUE:
        return states_switch(reading, stripped_value.casefold() == "true", entry)
    if stripped_value.casefold() in _ON_OFF and topic_of(entry).parts:
        if "on and off" in reading.text.casefold():
            return True
        return states_switch(reading, stripped_value.casefold() == "on", entry)
    if stripped_value.casefold() == "none" and states_switch(
        reading, expected=False, entry=_as_switch(entry)
    ):
        return True
    if stripped_value == "dontcare":
        folded_text = reading.text.casefold()
        return any(words in folded_text for words in _ANY)
    if _NUMBER.fullmatch(stripped_value) and len(stripped_value) <= _LONGEST_NUMBER:
        number = float(stripped_value.replace(",", ""))
        return states_number(reading, number, hints_of(entry)) or (
            _is_hour(number, entry) and _states_clock(reading, int(number) * 60)
        )
    moment = _MOMENT.fullmatch(stripped_value)
    if moment is not None:
        date, hour, minute = moment.groups()
        at = int(hour) * 60 + int(minute)
        return _states_date(reading, date) and (at == 0 or _states_clock(reading, at))
    if _ISO_DATE.fullmatch(stripped_value):
        return _states_date(reading, stripped_value)
    return _says_phrase(reading, stripped_value, entry)


def _as_switch(entry: Value) -> Value:
    """Convert the value "None" of a parameter to a switch that is off, as in "no subtitles"."""
    return Value("False", _NOUN_ENDING.sub("", entry.name), label=_NOUN_ENDING.sub("", entry.label))


def _is_hour(number: float, entry: Value) -> bool:
    """Whether a number in a condition may be an hour, as in "if it is before seven"."""
    compared = entry.name in _COMPARED and _OF_TIME.match(entry.label) is not None
    return compared and number == int(number) and 0 <= number <= 24


def _says_phrase(reading: Reading, phrase: str, entry: Value) -> bool:
    """Whether a text states a phrase: as a date, time, duration or amount, or by its words."""
    if _means_phrase(reading, phrase, entry):
        return True
    # Compare by meaning, not letters: "5 minutes" is not "an hour and 5 minutes".
    plain = _meaning(phrase) is None or phrase.startswith("-")
    return plain and _contains(reading, phrase)


def _contains(reading: Reading, phrase: str) -> bool:
    """Whether the text contains the phrase verbatim, without a letter or digit beside it."""
    sought = normal(phrase)
    at = reading.text.find(sought) if sought else -1
    if at < 0:
        return False
    around = reading.text[max(at - 1, 0) : at] + reading.text[at + len(sought) :][:1]
    index = bisect.bisect_left(reading.plain, at, key=lambda item: item.start)
    return not any(sign.isalnum() for sign in around) and not negated(reading.plain, index)


def _means_phrase(reading: Reading, phrase: str, entry: Value) -> bool:
    span = _SPAN.fullmatch(phrase)
    if span is not None and any(span.groups()):
        days, hours, minutes, seconds = (int(part or 0) for part in span.groups())
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        return states_amount(reading, float(total), Unit("time", 1), hints_of(entry))
    meaning = _meaning(phrase)
    if isinstance(meaning, int):
        return _states_clock(reading, meaning)
    if isinstance(meaning, Amount) and meaning.unit is not None:
        return states_amount(reading, meaning.value, meaning.unit, hints_of(entry))
    if isinstance(meaning, tuple):
        year, month, day = meaning
        return _means(reading, datetime.date(year or _LEAP_YEAR, month, day), year=year > 0)
    if _is_telephone(phrase):
        return _digits(phrase)[-7:] in _digits(reading.text) and _has_run(reading, phrase)
    opponents = _OPPONENTS.fullmatch(phrase)
    if opponents is not None:
        return all(states_text(reading, name) for name in opponents.groups())
    return states_text(reading, phrase) or _says_form(reading, phrase)


def _says_form(reading: Reading, phrase: str) -> bool:
    """Whether a text has another form of a single word: "walk" for the value "Walking"."""
    word = phrase.casefold()
    if any(said in reading.text.casefold() for said in _PHRASES_FOR.get(word, ())):
        return True
    if not _FORM.fullmatch(word):
        return False
    return any(stem(item.word) == stem(word) for item in reading.plain if item.kind == "word")


@lru_cache(maxsize=1024)
def _meaning(value: str) -> int | Amount | tuple[int, int, int] | None:
    """Return the meaning of a value that is only a time, an amount or a date, or else None.

    A time is returned as minutes after midnight, and a date as year (0 if absent), month and day.
    """
    if len(value) > 64:
        return None
    whole = read_anew(value)
    size = len(whole.items)
    if len(whole.clocks) == 1 and whole.clocks[0].start == 0 and whole.clocks[0].end == size:
        return whole.clocks[0].minutes
    if len(whole.amounts) == 1 and whole.amounts[0].end - whole.amounts[0].start >= size - 1:
        return whole.amounts[0]
    days = [day for day in whole.days if day.day and day.month]
    if len(days) == 1 and sum(day.end - day.start for day in whole.days) >= size - 1:
        year = days[0].year or max(day.year for day in whole.days)
        year += 2000 if 0 < year < 100 else 0
        month, day = days[0].month, days[0].day
        if month > 12:
            month, day = day, month
        try:
            datetime.date(year or _LEAP_YEAR, month, day)
        except ValueError:
            return None
        return year, month, day
    return None


def _states_date(reading: Reading, value: str) -> bool:
    try:
        expected_date = datetime.date(*(int(part) for part in value.split("-")))
    except ValueError:
        return value in reading.text
    return _means(reading, expected_date, year=True)


def _means(reading: Reading, expected_date: datetime.date, *, year: bool) -> bool:
    return any(
        day.means(expected_date, year=year) and not negated(reading.items, day.lead)
        for day in reading.days
    )


def _states_clock(reading: Reading, minutes: int) -> bool:
    return any(
        clock.means(minutes % 1440)
        and (
            not negated(reading.items, clock.start)
            or not_yet(reading.items, clock.start, clock.end)
        )
        for clock in reading.clocks
    )


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdecimal())


def _is_telephone(value: str) -> bool:
    return len(_digits(value)) >= 7 and _TELEPHONE.fullmatch(value) is not None


def _has_run(reading: Reading, value: str) -> bool:
    """Whether a text has a telephone number as consecutive digits, perhaps without country code."""
    digits = _digits(value)
    runs = re.findall(r"\+?[0-9(][0-9()./ -]*", reading.text)
    return any(len(run) >= 7 and (digits.endswith(run) or run.endswith(digits))
               for run in map(_digits, runs))  # fmt: skip
