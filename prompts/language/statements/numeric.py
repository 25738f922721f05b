"""Decide whether a text states a number, an amount with its unit, or a year."""

import math
from itertools import pairwise

from prompts.language.statements.amounts import Amount
from prompts.language.statements.hints import Hints, singular
from prompts.language.statements.items import word_at
from prompts.language.statements.reading import Reading, negated
from prompts.language.statements.units import PERCENT, Unit
from prompts.language.words import word_set

_ME = {"me", "i", "myself"}
_STOPS = {"direct", "nonstop"}
_ALONE = {"myself", "alone", "solo"}
_DOUBLE = {"double", "twice", "halve", "half"}
_ENDS_OF_SCALE = {
    0.0: {"mute", "muted", "silent", "silence"},
    1.0: {"full", "fully", "maximum", "max"},
}
_ROUNDED = 0.005
"""Tolerance for fractions, which sliders round: a third is stored as 0.33."""
_MORE = {"add", "plus", "top", "extra", "more", "raise", "raised", "increase", "on", "tip", "tax"}
_LESS = {"off", "less", "minus", "discount", "lower", "reduce", "reduced", "deduct", "subtract"}
_ARTICLES = {"a", "an", "one", "single"}
_GROUP_NOUNS = {"group", "party", "family"}
_BEFORE_PRONOUN_ONE = word_set(
    "for just only of to be is are make it's = about need want , . and least than"
) | {""}
_UNITLESS_KINDS = {"money", "time", "temperature", "percent"}
"""Quantities that people state as a number without a unit, but never before an unrelated noun."""
_BETWEEN = 3
_ENDS = {"for", "in", "with", "of", "at", "to", "and", "on"}
_COMPOUNDS = {"office", "offices", "service", "number", "numbers", "machine", "hotel", "key"}


def same(number: float, other: float) -> bool:
    """Whether two numbers are equal, apart from binary rounding errors."""
    return math.isclose(number, other, rel_tol=1e-9, abs_tol=1e-9)


def states_amount(reading: Reading, value: float, unit: Unit, hints: Hints) -> bool:
    """Whether a text states a value that includes its unit: "44 mg", "$20", "15%"."""
    for amount in reading.amounts:
        if negated(reading.items, amount.start) or amount.address:
            continue
        if amount.unit is not None:
            if _equal(value, unit, amount):
                return True
        elif amount.fraction:
            if unit.measures == PERCENT and same(amount.value * 100, value):
                return True
        elif (
            same(amount.value, value)
            and unit.measures != "time"
            and not (amount.noun or amount.at or amount.ordinal or amount.place)
            and hints.words
        ):
            return True
    return False


def states_number(reading: Reading, value: float, hints: Hints) -> bool:
    """Whether a text states a number as the value of the parameter that `hints` describe."""
    if hints.year and value == int(value) and 1000 <= value <= 2999:
        return _states_year(reading, value)
    if hints.counts and _in_other_words(reading, value, hints):
        return True
    # A sign is often left to the words: "lower it by 5", "5 below zero".
    values = (value, -value) if value < 0 else (value,)
    words = {item.word for item in reading.items}
    if hints.anything and (_in_percent_more(reading, value) or (value == 2 and words & _DOUBLE)):
        return True
    is_share = any(unit.measures == PERCENT for unit in hints.units)
    if is_share and value in _ENDS_OF_SCALE and words & _ENDS_OF_SCALE[value]:
        return True
    return any(
        any(_states(amount, signed_value, hints) for signed_value in values)
        and not _is_pronoun(reading, amount)
        for amount in reading.amounts
        if not negated(reading.items, amount.start) or (value == 0 and amount.value == 0)
    )


def _in_percent_more(reading: Reading, value: float) -> bool:
    """Whether a text states a factor as a change in percent: "12 percent on top" for 1.12."""
    if not 0 < value < 2 or value == 1:
        return False
    words = {item.word for item in reading.items}
    if not words & (_MORE if value > 1 else _LESS):
        return False
    change = abs(value - 1)
    return any(
        same(amount.value, change)
        if amount.fraction
        else amount.unit is not None
        and amount.unit.measures == PERCENT
        and same(amount.value, change * 100)
        for amount in reading.amounts
    )


def _is_pronoun(reading: Reading, amount: Amount) -> bool:
    """Whether "one" is a pronoun, as in "a good one in town", and not a number."""
    if reading.items[amount.start].word != "one" or amount.unit is not None:
        return False
    behind = [word_at(reading.items, amount.end + step) for step in (0, 1)]
    if behind[0] == "of" and behind[1] in {"the", "my", "our", "these", "those", "his", "her"}:
        return True
    if amount.noun:
        return False
    return word_at(reading.items, amount.start - 1) not in _BEFORE_PRONOUN_ONE


def _states(amount: Amount, value: float, hints: Hints) -> bool:
    if amount.address or (amount.place and not _is_numbered_value(amount, hints)):
        return False
    if amount.unit is not None:
        if hints.units:
            return any(_equal(value, unit, amount) for unit in hints.units)
        in_percent = amount.unit.measures == PERCENT and 0 < value < 1
        in_seconds = hints.anything and amount.unit.measures == "time"
        return (
            (hints.anything and same(amount.value, value))
            or (in_seconds and same(amount.base, value))
            or (in_percent and same(amount.base, value * 100))
        )
    if amount.fraction:
        percent = any(unit.measures == PERCENT for unit in hints.units)
        near = percent and abs(amount.value - value) < _ROUNDED
        divided = hints.anything and same(amount.value * value, 1)
        in_percent = percent and same(amount.value * 100, value)
        return near or divided or same(amount.value, value) or in_percent
    if not same(amount.value, value):
        return False
    if hints.units:
        exact = any(unit.size or unit.measures in _UNITLESS_KINDS for unit in hints.units)
        other = hints.is_unrelated(amount.noun) if exact else hints.contradicts(amount.noun)
        return not (amount.ordinal or amount.at or other)
    if hints.counts:
        at_hour = amount.at and value <= 24
        return not (amount.ordinal or at_hour or hints.contradicts(amount.noun))
    return hints.anything or not hints.contradicts(amount.noun)


def _is_numbered_value(amount: Amount, hints: Hints) -> bool:
    """Whether a number after "room" or "line" is a value, as the 2 in "3 bed room 2 bath"."""
    if hints.anything or (amount.place in hints.words and not hints.counts):
        return True
    return any(hints.names(word) for word in amount.noun.split())


def _equal(value: float, unit: Unit, amount: Amount) -> bool:
    """Whether an amount in the text equals the value after conversion to the same unit."""
    amount_unit = amount.unit
    if amount_unit is None or not unit.agrees(amount_unit):
        return False
    if unit.measures == PERCENT:
        small = not unit.size and 0 < value <= 1
        return same(amount.value, value) or (small and same(amount.value, value * 100))
    if unit.size:
        return same(amount.base, value * unit.size)
    if unit.measures == "money":
        return same(amount.base, value)
    return same(amount.value, value) or (unit.measures == "time" and same(amount.base, value))


def _states_year(reading: Reading, value: float) -> bool:
    if any(day.year == value for day in reading.days):
        return True
    if any(
        mark.word == "'" and number.glued and number.digits and len(number.word) == 2
        and number.value == value % 100
        for mark, number in pairwise(reading.plain)
    ):  # fmt: skip
        return True
    for amount in reading.amounts:
        first = amount.noun.split(" ", 1)[0]
        led = amount.start and reading.items[amount.start - 1].word in {"from", "in", "of", "year"}
        many = first.endswith("s") and not led
        if same(amount.value, value) and amount.unit is None and not (many or amount.place):
            return not negated(reading.items, amount.start)
    return any(
        century.kind == other.kind == "number" and not century.digits
        and same(century.value * 100 + other.value, value) and 10 <= other.value < 100
        for century, other in pairwise(reading.items)
    )  # fmt: skip


def _in_other_words(reading: Reading, value: float, hints: Hints) -> bool:
    """Whether a text states a number without a numeral: "no bags" for 0, "just me" for 1."""
    if value == 1:
        return _a_single(reading, hints) or (hints.of("people") and _is_one_person(reading))
    if value in {2, 3} and not hints.of("people"):
        return {2: "twice", 3: "thrice"}[int(value)] in {item.word for item in reading.items}
    if value == 2:
        return hints.of("people") and _two_persons(reading)
    if value > 2:
        return hints.of("people") and _with_me(reading, value - 1)
    if value != 0:
        return False
    words = [item.word for item in reading.items]
    if hints.of("stops") and (_STOPS & set(words) or ("non", "stop") in _pairs(words)):
        return True
    return any(
        word in {"no", "without", "zero", "any"} and _is_named_soon(words, i, hints)
        and (word != "any" or "n't" in words[i - 1] + words[i - 2])
        for i, word in enumerate(words)
    )  # fmt: skip


def _is_named_soon(words: list[str], i: int, hints: Hints) -> bool:
    return any(hints.names(word) for word in words[i + 1 : i + 1 + _BETWEEN])


def _a_single(reading: Reading, hints: Hints) -> bool:
    words = [item.word for item in reading.items]
    for i, word in enumerate(words):
        if word not in _ARTICLES or (i and words[i - 1] in {"no", "not", "without"}):
            continue
        for j in range(i + 1, min(i + 2 + _BETWEEN, len(words))):
            if hints.names(words[j]) and not (words[j].endswith("s") or words[j] in _PEOPLE):
                behind = words[j + 1] if j + 1 < len(words) else ""
                if behind not in _COMPOUNDS and not (behind == "of" and words[j] in _GROUP_NOUNS):
                    return True
            if reading.items[j].kind != "word" or words[j] in _ENDS:
                break
    return False


def _is_one_person(reading: Reading) -> bool:
    words = [item.word for item in reading.items]
    if "just for me" in reading.text or "only for me" in reading.text:
        return True
    if _pairs(words) & {("just", "me"), ("only", "me"), ("one", "person"), ("by", "myself")}:
        return True
    return bool(_ALONE & set(words)) and not {"us", "we"} & set(words)


def _pairs(words: list[str]) -> set[tuple[str, str]]:
    """Return all pairs of adjacent words, ignoring hyphens."""
    return set(pairwise(word for word in words if word != "-"))


_PEOPLE = word_set(
    "wife husband friend girlfriend boyfriend partner mother mom father dad sister brother son "
    "daughter boss colleague date fiance fiancee spouse roommate coworker mum kid child man woman"
)


def _with_me(reading: Reading, others: float) -> bool:
    """Whether the text counts the speaker and `others` more people: "me and two friends"."""
    words = [item.word for item in reading.items]
    for amount in reading.amounts:
        if not same(amount.value, others) or not _PEOPLE & set(map(singular, amount.noun.split())):
            continue
        before, after = words[: amount.start], words[amount.end : amount.end + 4]
        if before and before[-1] == "my":
            before.pop()
        led = len(before) > 1 and before[-1] == "and" and before[-2] in _ME
        if led or any(word == "and" and other in _ME for word, other in pairwise(after)):
            return True
    return False


def _two_persons(reading: Reading) -> bool:
    words = [item.word for item in reading.items]
    for i, word in enumerate(words):
        if word == "both" and words[i + 1 : i + 3] == ["of", "us"]:
            return True
        near = words[max(0, i - 4) : i + 5]
        if word == "and" and {"me", "i", "myself"} & set(near) and _PEOPLE & set(near):
            return True
    return False
