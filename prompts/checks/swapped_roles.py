"""Check that the text does not exchange the roles of values: from and to, more and less."""

import re

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import plain, title_words
from prompts.subject import Subject, Value

_START = frozenset({"origin", "from", "source", "sender"})
_PEOPLE = frozenset({"receiver", "recipient", "recipients"})
_GOAL = frozenset({"destination", "to", "into"}) | _PEOPLE
_ASKS_PEOPLE = re.compile(r"\b(?:request|ask|collect|charge|claim|demand)(?:s|ing)?\b")
"""Matches requests for money, in which "from" and "to" are not checked."""
_FROM = r"(?:from|leaving|out of)"
_TO = r"(?:to|into)"
_MORE = re.compile(
    r"(?<!\bno )(?<!\bnot )\b(?:more|over|above|greater|longer|larger|bigger|faster|farther|"
    r"further|exceeds?|higher|"
    r"least|beyond|past|warmer|hotter|older|later|after)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?<!\bno )(?<!\bnot )\b(?:less|under|below|smaller|shorter|slower|fewer|lower|most|"
    r"younger|earlier|before|within|"
    r"colder|cooler|nearer)\b",
    re.IGNORECASE,
)
_MORE_LABEL = re.compile(r"\bis (?:greater|more|larger) than\b")
_LESS_LABEL = re.compile(r"\bis (?:less|smaller|fewer) than\b")


def examine(subject: Subject) -> Finding:
    """Drops texts that exchange start and goal, or say "less" where "more" is required."""
    said = f" {plain(subject.text)} "
    for entry in subject.required:
        right, wrong = _leads(entry, said)
        for name in {plain(entry.value), *map(plain, entry.titles)} - {""}:
            phrase = rf"(?: the)? {re.escape(name)} "
            if not wrong or not re.search(rf" {wrong}{phrase}", said):
                continue
            if not re.search(rf" {right}{phrase}", said):
                return dropped("swapped_role", f"{entry.name}={entry.value!r} is the other end")
        if _is_reversed(entry, subject.text):
            return dropped("reversed_limit", f"not {entry.label!r}")
    return passing("every value in its direction")


def _leads(entry: Value, said: str) -> tuple[str, str]:
    """Return two patterns of words: those that may precede a value, and those that may not.

    The value of a parameter "origin" follows "from" and not "to", for example. Both patterns are
    empty if the value has no direction.
    """
    words = {*plain(entry.label).split(), *title_words(entry.name).split()}
    if bool(words & _START) == bool(words & _GOAL):
        return "", ""
    if words & _PEOPLE and _ASKS_PEOPLE.search(said):
        return "", ""
    return (_FROM, _TO) if words & _START else (_TO, _FROM)


def _is_reversed(entry: Value, text: str) -> bool:
    for label, right, wrong in ((_MORE_LABEL, _MORE, _LESS), (_LESS_LABEL, _LESS, _MORE)):
        if label.search(entry.label):
            return wrong.search(text) is not None and right.search(text) is None
    return False


CHECK = Check(
    name="swapped_roles",
    kinds=frozenset({"query", "instruction"}),
    explains={
        "swapped_role": 'The text exchanges the roles of two values, such as "from" and "to".',
        "reversed_limit": 'The text reverses a limit: it says "before" for "after", for example.',
    },
    examine=examine,
)
