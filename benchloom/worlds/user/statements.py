"""Word the sentences in which the user of a dialogue states a value."""

import datetime
import re

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs.leaves import leaves
from benchloom.worlds.user.questions import Fact
from benchloom.worlds.user.words import joined, label_of, plural, singular, words_of

_TRUTHS = {"true": True, "false": False}
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2}(?::(?!00)[0-9]{2})?)(?::00)?)?"
)
_DAY = re.compile("([01][0-9])-([0-3][0-9])")
_MONTHS = 12
_COUNTED = re.compile(r"number|amount|size|length|count|year|rating|level|quantity|minutes")
_LONG = 4
_QUOTED = frozenset(
    re.findall(
        "[a-z]+", "text message content title subject note memo label mail reminder event article"
    )
)
_PLACES = frozenset({"address", "city", "destination", "location", "place", "url", "path", "data"})
_LITERAL = frozenset({"username", "password", "path", "email"})
"""Arguments whose values the user states unchanged, underscores included."""
_THINGS = frozenset({"device", "room"})
"""Labels whose values get an article if they are in lower or upper case: the kitchen, the TV."""
_PUNCTUATION = re.compile(r"[?!.:;,]$|[:;?!] ")
STATES = frozenset(
    re.findall(
        "[a-z_]+",
        "refundable pinned muted blocked starred unread enabled furnished unisex good_for_kids",
    )
)
_CHOICES = {
    "shared_ride": ("yes, I can share it", "no, I do not want to share it"),
    "private_visibility": ("it should be private", "it should not be private"),
    "has_garage": ("yes, with a garage", "no, without a garage"),
    "in_unit_laundry": ("yes, with a laundry in the unit", "no, without a laundry in the unit"),
}
"""A mapping from labels that no general pattern fits to their wordings of yes and of no."""
_SINGULAR = re.compile(r"(?:ss|us|news)$")
_CENTS = 100
_NAME = re.compile("[A-Za-z]+(?:_[A-Za-z0-9]+)+")
OPAQUE = re.compile(r"(?=.*[0-9])[A-Za-z0-9_-]{5,}|[0-9]{4,}")


class Value(msgspec.Struct, frozen=True):
    """A value that the user states, which is an argument of the call number `call`.

    `goal` is the number of the call for which this call is made. For example, a search for a note
    is made for the call that deletes the note. `kind` contains words before the name of the thing,
    as `unpaid` in `unpaid bill`. `words` is the spoken form of the value, if it differs.
    """

    call: int
    goal: int
    argument: str
    value: Plain
    label: str
    kind: str = ""
    words: str = ""


def fact_of(value: Value, scope: str) -> Fact:
    """Return the fact that states a value; `scope` distinguishes facts with the same name."""
    truth = truth_of(value.value)
    if truth is not None:
        words = truth_words(value.label, truth)
        statement = f"{words[0].upper()}{words[1:]}."
    else:
        statement = _statement(value, scope)
    return Fact(value.label, statement, truth is not None, scope)


def truth_of(value: Plain) -> bool | None:
    """Return the boolean that a value is or spells ("true", "false"), or None for other values."""
    return _TRUTHS.get(str(value).lower()) if isinstance(value, bool | str) else None


def truth_words(label: str, truth: bool) -> str:
    """Return how a person states a yes-or-no value: `yes, with lunch`, `no, without lunch`."""
    words = words_of(label)
    if label == "switch_position":
        return f"it should go {'on' if truth else 'off'}"
    if label in STATES:
        return f"it should {'' if truth else 'not '}be {words}"
    if label in _CHOICES:
        return _CHOICES[label][not truth]
    verb, _, thing = words.partition(" ")
    if verb in {"serves", "offers"}:
        return f"it {'should' if truth else 'need not'} {verb[:-1]} {thing}"
    if words.startswith("add "):
        return f"yes, {words}" if truth else f"no, don't {words}"
    if words.endswith(" allowed"):
        thing = words.removesuffix(" allowed")
        return f"{thing} {'must' if truth else 'need not'} be allowed"
    return f"{'yes, with' if truth else 'no, without'} {words}"


def _statement(value: Value, scope: str) -> str:
    name = f"{value.kind} {words_of(value.label)}".strip()
    text = value.words or _text(value.argument, value.value)
    if value.argument.endswith("_id") and OPAQUE.fullmatch(text):
        name = f"{name} ID"
    is_number = re.fullmatch(r"[0-9]+", text) is not None
    is_plural = name.endswith("s") and not _SINGULAR.search(name)
    if is_number and is_plural and not _COUNTED.search(name):
        name = f"number of {name}"
    is_list = isinstance(value.value, list) and len(value.value) > 1
    if isinstance(value.value, list) and is_list != is_plural:
        head, of, thing = name.partition(" of the ")
        if head != "health data":
            head = plural(head) if is_list else singular(head)
        name = f"{head}{of}{plural(thing) if of and is_list else thing}"
    name = f"{name} {scope}".strip()
    last = value.label.rpartition("_")[2]
    is_long = len(text.split()) > _LONG or _PUNCTUATION.search(text)
    if text == value.value and (last in _QUOTED or (is_long and last not in _PLACES)):
        return f'The {name} is "{text}"' + ("" if text.endswith((".", "?", "!")) else ".")
    if value.argument == "date" and last not in {"date", "day"}:
        return f"The {name} is the one on {text}."
    if value.label == "intent":
        return f"The {name} is to {text}."
    if value.label == "thread" and not value.kind:
        return f"The {name} is the one with {text}."
    if last in _THINGS and (text.islower() or text.isupper()):
        text = f"the {text}"
    are = is_list or (is_plural and not is_number and not isinstance(value.value, list))
    return f"The {name} {'are' if are else 'is'} {text.removesuffix('.')}."


def day_words(value: Plain) -> str:
    """Return a month and day (`10-06`) as people say them, or "" for other values."""
    match = _DAY.fullmatch(str(value))
    if match is None or not 1 <= int(match[1]) <= _MONTHS:
        return ""
    return f"{int(match[2])} {datetime.date(2000, int(match[1]), 1):%B}"


def _text(argument: str, value: Plain) -> str:
    if isinstance(value, list) and value:
        return joined([_text(argument, part) for part in value])
    parts = [leaf for _, leaf in leaves(value)]
    is_measure = len(parts) == 2 and isinstance(parts[1], int | float)
    return " ".join(_spell(argument, part) for part in (parts[::-1] if is_measure else parts))


def _spell(argument: str, value: bool | float | str) -> str:
    if argument.endswith("_cents") and isinstance(value, int):
        whole, remainder = divmod(value, _CENTS)
        return f"{whole} crowns" if not remainder else f"{whole}.{remainder:02d} crowns"
    match = _MOMENT.fullmatch(str(value))
    if match is None:
        if label_of(argument).rpartition("_")[2] in {"language", "scale"}:
            return str(value).capitalize()
        is_name = argument not in _LITERAL and _NAME.fullmatch(str(value)) is not None
        return str(value).replace("_", " ") if is_name else str(value)
    try:
        day = datetime.date.fromisoformat(match[1])
    except ValueError:
        return str(value)
    return f"{day.day} {day:%B} {day.year}" + (f" at {match[2]}" if match[2] else "")
