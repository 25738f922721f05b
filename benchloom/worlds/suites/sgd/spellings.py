"""Normalise the spelling of values in calls, such as times, days, numbers and names.

A service accepts a value as recorded in the dialogue, in the user's words, or in another spelling.
"""

import datetime
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal, TypeAlias

from benchloom.core.plain_words import SMALL_NUMBER_NAMES, WORD
from benchloom.core.records.values import Plain
from benchloom.worlds.answers.values.moments import days_in
from benchloom.worlds.answers.values.numbers import Number, numbers_in
from benchloom.worlds.answers.values.times import times_in
from benchloom.worlds.state import State
from benchloom.worlds.suites.sgd.calls import RecordedCall
from benchloom.worlds.suites.sgd.start import Argument, Method, Wording
from benchloom.worlds.suites.sgd.tables import cells_of, recorded_spelling

Kind: TypeAlias = Literal["time", "date", "number", "truth", "choice", "text"]
FORMS: Mapping[Kind, str] = {
    "time": "Form: HH:MM, 24 hours.",
    "date": "Form: YYYY-MM-DD.",
    "number": "Form: digits.",
    "truth": "Form: True or False.",
}
"""A mapping from kinds of values to sentences for the descriptions of arguments."""
_NUMBERS = frozenset(
    WORD.findall(
        "number amount size count passengers travelers riders adults rating price balance year "
        "age length"
    )
)
_NUMERAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)
_TRUTHS = {"true": "True", "yes": "True", "false": "False", "no": "False"}
_SMALL = SMALL_NUMBER_NAMES.split()
_MOST = 200
"""The maximum length of a value whose spelling is normalised, in characters."""


def kind_of(argument: Argument) -> Kind:
    """Return the kind of an argument's values, derived from its allowed values or else its name."""
    if argument.values:
        values = set(argument.values) - {"dontcare"}
        if values <= set(_TRUTHS.values()):
            return "truth"
        return "number" if all(map(_NUMERAL.fullmatch, values)) else "choice"
    parts = argument.name.split("_")
    if "time" in parts:
        return "time"
    if "date" in parts:
        return "date"
    return "number" if not _NUMBERS.isdisjoint(parts) else "text"


def comparable(arguments: Mapping[str, str]) -> dict[str, str]:
    """Return arguments with `fold` applied to their values, so that they can be compared."""
    return {name: fold(value) for name, value in arguments.items()}


def normalised(state: State, method: Method, arguments: Mapping[str, Plain]) -> dict[str, Plain]:
    """Return the arguments of a call with values in the spelling that the service's rows use."""
    declared = {argument.name: argument for argument in method.arguments}
    today = datetime.date.fromisoformat(state.now[:10])
    values: dict[str, Plain] = {}
    for name, value in arguments.items():
        text = _text(value)
        if text is None or name not in declared or len(text) > _MOST:
            values[name] = value
        else:
            values[name] = _normalised_value(state, method.service, declared[name], text, today)
    return values


def _normalised_value(
    state: State, service: str, argument: Argument, text: str, today: datetime.date
) -> str:
    folded = fold(text)
    spelling = recorded_spelling(state, service, argument.name, folded)
    if spelling is not None:
        return spelling
    values = argument.values or cells_of(state, service, argument.name)
    folded_values = {fold(value): value for value in values}
    if text in values or folded in folded_values:
        return text if text in values else folded_values[folded]
    value = _of_kind(kind_of(argument), folded, today)
    return text.strip() if value is None else folded_values.get(value, value)


def _of_kind(kind: Kind, folded: str, today: datetime.date) -> str | None:
    if kind == "truth":
        return _TRUTHS.get(folded)
    if kind == "time":
        times = times_in(folded)
        whole = len(times) == 1 and times[0].end - times[0].start == len(folded)
        minutes = sorted(times[0].minutes) if whole else []
        return f"{minutes[0] // 60:02d}:{minutes[0] % 60:02d}" if len(minutes) == 1 else None
    if kind == "date":
        days = days_in(folded)
        date = days[0].date(today) if len(days) == 1 else None
        return None if date is None else date.isoformat()
    if kind != "number":
        return None
    if folded in _SMALL:
        return str(_SMALL.index(folded))
    numbers = numbers_in(folded, folded)
    whole = len(numbers) == 1 and numbers[0].start == 0 and _end(numbers[0]) == len(folded)
    return _digits(numbers[0].value) if whole else None


def _end(number: Number) -> int:
    return number.finish if number.unit else number.end


def _digits(number: Decimal) -> str:
    return f"{number.normalize():f}" if number % 1 else str(int(number))


def _text(value: Plain) -> str | None:
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return str(int(value)) if value == value // 1 else repr(value)
    return value if isinstance(value, str) else None


def fold(text: str) -> str:
    """Return a text in lower case (case-folded), with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def wordings_of(calls: Sequence[RecordedCall]) -> tuple[Wording, ...]:
    """Return the texts that mean a value in a dialogue: the value itself, and the user's words.

    A user's words that mean two values of the same argument are left out.
    """
    meanings: dict[tuple[str, str, str], set[str]] = {}
    values: dict[tuple[str, str, str], str] = {}
    for call in calls:
        for name, value in call.arguments.items():
            values.setdefault((call.service, name, fold(value)), value)
            for words in call.wordings.get(name, ()):
                meanings.setdefault((call.service, name, fold(words)), set()).add(value)
    for key, meant in meanings.items():
        if len(meant) == 1:
            values.setdefault(key, *meant)
    return tuple(Wording(*key, value) for key, value in sorted(values.items()))
