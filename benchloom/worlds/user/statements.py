"""Sentences that tell a value, as the user of a dialogue says them."""

import datetime
import re

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.proving.leaves import leaves
from benchloom.worlds.user.questions import Fact
from benchloom.worlds.user.words import singular, words_of

_TRUTHS = {"true": True, "false": False}
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(?::00)?)?")
_COUNTED = re.compile(r"number|amount|size|length|count|year|rating|level|stars|quantity|minutes")
_LONG = 4
_QUOTED = frozenset(["text", "message", "content", "title", "subject", "note", "memo", "label"])
_STATES = frozenset({"refundable", "pinned", "muted", "blocked", "starred", "unread", "enabled"})
_SINGULAR = re.compile(r"(?:ss|us|news)$")
_CENTS = 100
OPAQUE = re.compile(r"(?=.*[0-9])[A-Za-z0-9_-]{5,}|[0-9]{4,}")


class Value(msgspec.Struct, frozen=True):
    """A value that the user tells.

    `call` is the number of the call that takes it, `goal` that of the call for whose sake it is
    made: the search for a note serves the call that deletes the note. `kind` are words before the
    name of the thing, such as `unpaid` of a bill.
    """

    call: int
    goal: int
    argument: str
    value: Plain
    label: str
    kind: str = ""


def fact_of(value: Value, scope: str) -> Fact:
    """Return the fact that tells a value; `scope` tells it apart from others of its name."""
    truth = truth_of(value.value)
    if truth is not None:
        words = truth_words(value.label, truth)
        statement = f"{words[0].upper()}{words[1:]}."
    else:
        statement = _statement(value, scope)
    return Fact(value.label, statement, truth is not None, scope)


def truth_of(value: Plain) -> bool | None:
    """Return a value that is yes or no; None for every other."""
    return _TRUTHS.get(str(value).lower()) if isinstance(value, bool | str) else None


def truth_words(label: str, truth: bool) -> str:
    """Return yes or no to a label as a person says it."""
    words = words_of(label)
    if label == "switch_position":
        return f"it should go {'on' if truth else 'off'}"
    if label in _STATES:
        return f"it should {'' if truth else 'not '}be {words}"
    if truth:
        return f"yes, {words}"
    return f"no, don't {words}" if words.startswith("add ") else f"no {words}"


def _statement(value: Value, scope: str) -> str:
    name = f"{value.kind} {words_of(value.label)}".strip()
    text = _text(value.argument, value.value)
    if value.argument.endswith("_id") and OPAQUE.fullmatch(text):
        name = f"{name} ID"
    is_number = re.fullmatch(r"[0-9]+", text) is not None
    plural = name.endswith("s") and not _SINGULAR.search(name)
    if is_number and plural and not _COUNTED.search(name):
        name = f"number of {name}"
    several = isinstance(value.value, list) and len(value.value) > 1
    if isinstance(value.value, list) and several != plural:
        name = re.sub("(?<!data)(?:(?= of the )|$)", "s", name) if several else singular(name)
    name = f"{name} {scope}".strip()
    if text == value.value and (
        len(text.split()) > _LONG or value.label.rpartition("_")[2] in _QUOTED
    ):
        return f'The {name} is "{text}"' + ("" if text.endswith((".", "?", "!")) else ".")
    are = several or (plural and not is_number and not isinstance(value.value, list))
    return f"The {name} {'are' if are else 'is'} {text}."


def _text(argument: str, value: Plain) -> str:
    if isinstance(value, list) and value:
        *texts, last = [_text(argument, part) for part in value]
        return f"{', '.join(texts)} and {last}" if texts else last
    parts = [leaf for _, leaf in leaves(value)]
    is_measure = len(parts) == 2 and isinstance(parts[1], int | float)
    return " ".join(_spoken(argument, part) for part in (parts[::-1] if is_measure else parts))


def _spoken(argument: str, value: bool | float | str) -> str:
    if argument.endswith("_cents") and isinstance(value, int):
        whole, rest = divmod(value, _CENTS)
        return f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns"
    match = _MOMENT.fullmatch(str(value))
    if match is None:
        return str(value).replace("_", " ") if " " not in str(value) else str(value)
    try:
        day = datetime.date.fromisoformat(match[1])
    except ValueError:
        return str(value)
    return f"{day.day} {day:%B} {day.year}" + (f" at {match[2]}" if match[2] else "")
