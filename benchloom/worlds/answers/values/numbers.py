"""Find the numbers in a text, in digits or words, with their units or the nouns they count."""

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from benchloom.core.plain_words import SMALL_NUMBER_NAMES
from benchloom.worlds.answers.values.units import unit_after

_PLACES = Decimal("1e-10")
_PARTS = {"quarter": 4, "¼": 4, "1/4": 4, "third": 3, "⅓": 3, "1/3": 3, "half": 2, "½": 2, "1/2": 2}
_SEVERAL = dict.fromkeys(("three", "¾", "3/4"), Decimal("0.75")) | dict.fromkeys(
    ("two", "⅔", "2/3"), (Decimal(2) / 3).quantize(_PLACES)
)
_FRACTIONS = _SEVERAL | {
    word: (1 / Decimal(part)).quantize(_PLACES) for word, part in _PARTS.items()
}
_FRACTION = (
    r"(?: |-)?(?:and (?:(?:a|one)(?: |-)(?:half|third|quarter)|two(?: |-)thirds"
    r"|three(?: |-)quarters)\b|[½⅓⅔¼¾]|(?<= )[123]/[234](?![0-9/]))"
)
_DIGITS = re.compile(
    r"(?<![\w.,:/+-])(?P<before>[$€£] ?)?(?P<sign>-|(?<![0-9)] )\b(?:minus|negative) )?"
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,20})?"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}"
    r"|[0-9]{1,3}(?:[ '_][0-9]{3})+(?:\.[0-9]{1,20}|,[0-9]{1,2}(?![0-9]))?"
    r"|[0-9]{1,30},[0-9]{1,2}(?![0-9])|[0-9]{1,30}(?:\.[0-9]{1,20})?)(?!:?[0-9]|\.[0-9]|-[0-9]{2}-)"
    rf"(?P<fraction>{_FRACTION})?"
)
_EITHER = re.compile(r"(?:0,|[1-9][0-9]{0,2}[.,])[0-9]{3}")
_MILLI = Decimal("0.001")
_SMALL = {word: value for value, word in enumerate(SMALL_NUMBER_NAMES.split())}
_SMALL |= {"single": 1}
TENS_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 20 + 10 * value for value, word in enumerate(TENS_NAMES.split())}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_NONE = re.compile(
    r"\b(?:none|no)\b(?! (?:one|other|further|additional|idea|wait|problem|doubt|longer|more than))"
    r"(?=\W|$)"
)
_BELOW = re.compile(r" below (?:zero|freezing)\b")
_ANY_WORD = "|".join((*_SMALL, *_TENS, *_SCALES))
_WORDS = re.compile(
    rf"\b(?<!-)(?<!couple of )(?P<sign>(?:minus|negative) )?(?P<number>(?<=a )single|"
    rf"(?:{_ANY_WORD}|(?<!half )(?<!of )(?:a|an)(?= (?:{'|'.join(_SCALES)}|hour and)\b))"
    rf"(?:(?:[ -]|,? and )(?:{_ANY_WORD})){{0,20}})\b"
    rf"(?: point(?P<point>(?: (?:{'|'.join(_SMALL)})\b){{1,20}})|(?P<fraction>{_FRACTION}))?"
)
_COMPOUNDS = {
    ("crown", "cent"): 100,
    ("money", "cent"): 100,
    ("week", "d"): 7,
    ("d", "h"): 24,
    ("h", "min"): 60,
    ("min", "s"): 60,
    ("kg", "g"): 1000,
    ("g", "mg"): 1000,
    ("lb", "oz"): 16,
    ("km", "m"): 1000,
    ("m", "cm"): 100,
    ("cm", "mm"): 10,
    ("ft", "in"): 12,
    ("l", "ml"): 1000,
}
"""The factors between a unit and a smaller unit that can follow it: `3 days and 4 hours`."""
_WORD = re.compile(r"(?: of (?:them|these|those|which)(?: is| are| were)?)?[ -]?([a-z][\w']*)")
_ANOTHER = re.compile(r"(?:,? (?:or|and|to|nor)|,|-| ?/) ?| (?:out )?of (?:the |all )?")
_FUNCTION_TEXT = """
a about after again ago all altogether and are as at available be because been being but by can
apiece comes counts currently did do does each either else every exactly expected for free from
get gets gives had has have he here i if in is it left less made makes may might more much must my
of off on open only or out over overall per please plus remain remaining remains right
shall she should since so still than that the their them then there these they this those though to
today together tomorrow too total under until up was we were when where which while who will with
within without would yet you your min max high low just now later not
"""
FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
"""Words that cannot be the noun that a number counts."""
_NO_NOUNS_TEXT = """
    cost costs pay paid pays work works leave leaves live lives x times fewer cheaper longer earlier
    extra before among besides namely"""
_NO_NOUNS = FUNCTION_WORDS.union(_NO_NOUNS_TEXT.split())


class Number(msgspec.Struct, frozen=True):
    """A number in a text, from `start` to `end`; `finish` is the position after its unit or noun.

    `decimals` is the number of written decimals. A number such as `2.470` or `92,378` is ambiguous,
    so `other` is its value if the separator has its other meaning (decimals or thousands). `unit`
    is one of the units in the module `units`, or "". If it is "", `nouns` contains the words after
    the number, the last word first. `spelled` is true for a number in words.
    """

    start: int
    end: int
    finish: int
    value: Decimal
    decimals: int
    unit: str
    nouns: tuple[str, ...]
    spelled: bool
    other: Decimal | None = None


def numbers_in(lower: str, masked: str) -> list[Number]:
    """Return the numbers in a text, in order; `masked` is the text without its days and times."""
    numbers = [*_written(lower, masked), *_spelled(lower, masked)]
    numbers.sort(key=lambda number: number.start)
    return _compounds(lower, _with_shared_units(lower, numbers))


def stem(word: str) -> str:
    """Return a word without its plural or tense ending."""
    for ending in ("ies", "ied", "ying", "ys", "ing", "es", "ed", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def _written(lower: str, masked: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(masked):
        text = re.sub(r"[ '_]", "", match["number"])
        if re.fullmatch(r"[0-9.]+,[0-9]{1,2}", text):
            text = text.replace(".", "").replace(",", ".")
        text = text.replace(",", "")
        value, decimals = _signed(match, Decimal(text))
        after = lower[match.end() : match.end() + 3]
        if not re.match(r"(?:st|nd|rd|th)\b", after):
            unit = "money" if match["before"] else ""
            number = _number(lower, match, value, decimals, unit, spelled=False)
            other = _EITHER.fullmatch(match["number"]) and value * (1000 if decimals else _MILLI)
            yield msgspec.structs.replace(number, other=other) if other else number


def _spelled(lower: str, masked: str) -> Iterator[Number]:
    for match in _WORDS.finditer(masked):
        whole = Decimal(_value(re.split(r"[ ,-]+", match["number"])))
        digits = "".join(str(_SMALL[word]) for word in (match["point"] or "").split())
        value, decimals = _signed(match, whole + Decimal(f"0.{digits}0"))
        number = _number(lower, match, value, len(digits) or decimals, "", spelled=True)
        if match[0] != "one" or number.unit or number.nouns:
            yield number
    for match in _NONE.finditer(masked):
        number = _number(lower, match, Decimal(0), 0, "", spelled=True)
        if match[0] == "none" or number.nouns or number.unit:
            yield number


def _signed(match: re.Match[str], value: Decimal) -> tuple[Decimal, int]:
    """Return the value with its sign and spelled fraction, and the number of its decimals."""
    fraction = match["fraction"] or ""
    value += next((part for word, part in _FRACTIONS.items() if word in fraction), Decimal())
    decimals = max(0, -int((value.normalize() if fraction else value).as_tuple().exponent))
    return (-value if match["sign"] else value), decimals


def _number(
    lower: str, match: re.Match[str], value: Decimal, decimals: int, unit: str, *, spelled: bool
) -> Number:
    start, end = match.span()
    unit, finish = (unit, end) if unit else unit_after(lower, end) or ("", end)
    below = _BELOW.match(lower, finish)
    if below is not None:
        value, unit, finish = -value, unit or "degree", below.end()
    nouns, finish = ((), finish) if unit else _nouns(lower, end)
    return Number(start, end, finish, value, decimals, unit, nouns, spelled)


def _nouns(lower: str, end: int) -> tuple[tuple[str, ...], int]:
    words: list[str] = []
    position = end
    for _ in range(2):
        match = _WORD.match(lower, position)
        if match is None or match[1] in _NO_NOUNS:
            if words or match is None or match[1] not in {"free", "more"}:
                break
        else:
            words.append(match[1])
        position = match.end()
    return tuple(reversed(words)), position if words else end


def _value(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            if scale <= _SCALES["hundred"]:
                current = max(1, current) * scale
            else:
                total, current = total + max(1, current) * scale, 0
        else:
            current += _SMALL.get(word, _TENS.get(word, 0))
    return total + current or int(words[-1] in {"a", "an"})


def _with_shared_units(lower: str, numbers: list[Number]) -> list[Number]:
    """Copy the unit of a number to the numbers before it, as in `10, 11 or 12 crowns`."""
    for index in range(len(numbers) - 2, -1, -1):
        this, following = numbers[index], numbers[index + 1]
        bare = not this.unit and not this.nouns and (following.unit or following.nouns)
        if bare and _ANOTHER.fullmatch(lower, this.end, following.start):
            numbers[index] = msgspec.structs.replace(
                this, unit=following.unit, nouns=following.nouns
            )
    return numbers


def _compounds(lower: str, numbers: list[Number]) -> list[Number]:
    """Merge numbers that are parts of one measure: `610 crowns and 8 cents`, `3 days 4 hours`."""
    measures: list[Number] = []
    unit, scale = "", 1  # the last unit of the current measure, and how many fit in its first unit
    for number in numbers:
        last = measures[-1] if measures else None
        between = "" if last is None else lower[last.finish : number.start]
        smaller = number.unit
        if not smaller and not number.nouns and unit == "crown" and between == " ":
            smaller = "cent"
        factor = _COMPOUNDS.get((unit, smaller), 0)
        is_one = re.fullmatch(r",? (?:and )?", between) is not None
        if last is not None and is_one and 0 <= number.value < factor:
            scale, unit = scale * factor, smaller
            value = (last.value + number.value / scale).quantize(_PLACES).normalize()
            measures[-1] = msgspec.structs.replace(
                last,
                value=value,
                decimals=max(2 if unit == "cent" else 0, -int(value.as_tuple().exponent)),
                end=number.end,
                finish=number.finish,
            )
        else:
            measures.append(number)
            unit, scale = number.unit, 1
    return measures
