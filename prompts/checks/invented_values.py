"""Check that every number, date and quotation of the text is in its shortcut or plan."""

import re
from collections.abc import Set as AbstractSet
from itertools import accumulate

from prompts.checks import Check, Finding, dropped, passing
from prompts.checks._supported import (
    OTHER_SCRIPT,
    dates_of,
    days_in,
    is_supported,
    months_in,
    months_of,
    numbers_in,
    numbers_of,
    quotations_of,
    texts_about,
    values_about,
    weekdays_in,
    weekdays_of,
)
from prompts.language.words import MONTHS, WEEKDAYS, plain
from prompts.subject import Statement, Subject

_COMPANY = re.compile(
    r"\bwith (?:my |our )?(\w{1,12}) (?:other |more )?"
    r"(?:friends?|others|people|kids|children|colleagues|guests|buddies|mates|relatives)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r'\["[^\[\]]{1,2000}"\]')
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}\b")
"""Matches a capitalised word that does not begin a sentence."""
_OF_SHORTCUTS = frozenset({"query", "category"})
SMALL = 2
"""Numbers up to two are not examined; they occur in any text ("the two of us", "one of them")."""


def examine(subject: Subject) -> Finding:
    """Drops texts with a number, date or quotation that the shortcut or plan does not contain.

    In a conversation only the assistant's words are examined, because the user invents the task.
    """
    if subject.statements:
        return _finding(next(filter(None, map(_invented_in, subject.statements)), None))
    texts = texts_about(subject)
    if not any(texts):
        return passing("nothing to compare with")
    allowed_numbers = numbers_in(values_about(subject)) | _sizes(subject)
    converted = subject.kind in _OF_SHORTCUTS
    number = _invented_number(subject.text, allowed_numbers, converted=converted)
    return _finding(number or _invented_name(subject.text, texts))


def _finding(invented: str | None) -> Finding:
    if invented is not None:
        return dropped("invented_value", f"nothing tells {invented!r}")
    return passing("every value stands in the data")


def _invented_in(statement: Statement) -> str | None:
    """Return the first value in the assistant's words that is in none of their sources, or None."""
    text, sources = statement.text, statement.sources
    words = set(plain(" ".join(sources)).split())
    names = (name for name in _NAME.findall(text) if not words.issuperset(plain(name).split()))
    return (
        _invented_number(text, numbers_in(sources), converted=True)
        or _invented_name(text, sources)
        or next((name for name in names if name.lower() not in {*MONTHS, *WEEKDAYS}), None)
    )


def _invented_number(
    text: str, allowed_numbers: AbstractSet[float], *, converted: bool
) -> str | None:
    """Return the words for the first number in a text that is not allowed, or None.

    If `converted`, a number may also be an allowed number in another unit.
    """
    quotes = {mention.number: mention.quote for mention in numbers_of(text)}
    for match in _COMPANY.finditer(text):
        # Who comes with three friends needs four seats.
        quotes = {
            n: quote
            for n, quote in quotes.items()
            if quote != match[1] or n + 1 not in allowed_numbers
        }
    for number, quote in quotes.items():
        if number > SMALL and not is_supported(number, allowed_numbers, converted=converted):
            return quote
    return None


def _sizes(subject: Subject) -> set[float]:
    """Return the lengths of the lists in a workflow, and its greatest depth of nested braces.

    A text may state these numbers, although the workflow does not contain them.
    """
    workflow = subject.sources[-1] if subject.sources else ""
    depths = accumulate((sign == "{") - (sign == "}") for sign in workflow)
    return {
        float(max(depths, default=0)),
        *(float(len(items.split('", "'))) for items in _LIST.findall(workflow)),
    }


def _invented_name(text: str, texts: tuple[str, ...]) -> str | None:
    """Return the first date, month, weekday or quotation that `texts` do not contain, or None."""
    dates = dates_of(text)
    if dates:
        days, joined = days_in(texts), " ".join(texts)
        for quote, date in dates.items():
            if frozenset(date) not in days and quote not in joined:
                return quote
    for named, extract_names in (
        (months_of(text), months_in),
        (weekdays_of(text), weekdays_in),
    ):
        unknown = named - extract_names(texts) if named else named
        if unknown:
            return min(unknown)
    # Words for a value in another script are a translation, which nothing here can compare.
    quotations = [] if any(map(OTHER_SCRIPT.search, texts)) else quotations_of(text)
    there = [f" {plain(source_text)} " for source_text in texts] if quotations else []
    for quotation in quotations:
        said = plain(quotation)
        if said and not any(f" {said} " in source_text for source_text in there):
            return quotation
    return None


CHECK = Check(
    name="invented_values",
    kinds=frozenset({"query", "instruction", "nested", "category", "dialogue"}),
    explains={"invented_value": "The text contains a value that its source does not contain."},
    examine=examine,
)
