"""Read numbers in words: "twenty-five", "fifteen hundred", "a dozen", "two and a half"."""

from collections.abc import Sequence

from benchloom.core.plain_words import SMALL_NUMBER_NAMES
from prompts.language.statements.items import Item, is_number, word_at

_SMALL = {word: float(value) for value, word in enumerate(SMALL_NUMBER_NAMES.split())}
_TENS = {
    word: float(10 * value)
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_FACTORS = {
    "hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "mn": 1e6,
    "mio": 1e6, "bn": 1e9, "grand": 1e3,
}  # fmt: skip
_GROUPS = {"dozen": 12.0, "couple": 2.0, "pair": 2.0, "dozens": 12.0}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10,
    "tenths": 10, "twentieth": 20, "twentieths": 20, "hundredth": 100, "hundredths": 100,
}  # fmt: skip
_ENDINGS = {"st", "nd", "rd", "th"}
_PRONOUN = {"this", "that", "which", "another", "every", "any", "some", "each", "no"}
_BEGINNINGS = frozenset(
    {"a", "an", "half", "hundred", "thousand", "minus", "negative"}
    | {*_SMALL, *_TENS, *_GROUPS, *_ORDINALS, *_PARTS}
)
"""Words that a number may begin with."""
_LONGEST = 24
"""Maximum number of words that one number may have."""
_BEHIND_PART = frozenset({"", "of", ".", ",", ";", "?", "!"})
"""Words that may follow a fraction. "A third of" is a fraction, but "a third person" is not."""


def with_numbers(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return all items, with the items of each number in words merged into one item."""
    out: list[Item] = []
    i = 0
    while i < len(items):
        if items[i].kind == "word" and items[i].word not in _BEGINNINGS:
            out.append(items[i])
            i += 1
            continue
        unit = items[i].word == "second" and out and out[-1].kind == "number"
        read = None if unit else _number(items, i)
        if read is None:
            out.append(items[i])
            i += 1
        else:
            out.append(read[0])
            i = read[1]
    return tuple(out)


def _number(items: Sequence[Item], i: int) -> tuple[Item, int] | None:
    """Return the number that begins at item `i` and the index after it, or None."""
    item = items[i]
    if item.kind not in {"word", "number"} and item.word not in "-+":
        return None
    ordinal = _ordinal(items, i)
    if ordinal is not None:
        value, end = ordinal
        return _number_item(items, i, end, value, ordinal=True), end
    part = _part(items, i)
    if part is not None:
        value, end = part
        return _number_item(items, i, end, value, fraction=True), end
    sign, start = _sign(items, i)
    read = _digits(items, start) if is_number(items, start) else _cardinal(items, start)
    if read is None:
        return None
    value, end = read
    value, end = _mixed_number(items, value, end)
    return _number_item(items, i, end, sign * value), end


def _number_item(
    items: Sequence[Item],
    start: int,
    end: int,
    value: float,
    *,
    ordinal: bool = False,
    fraction: bool = False,
) -> Item:
    first, last = items[start], items[end - 1]
    words = " ".join(item.word for item in items[start:end])
    return Item(
        "number", words, first.start, last.end, first.glued, value, ordinal, fraction,
        digits=end == start + 1 and first.digits,
    )  # fmt: skip


def _sign(items: Sequence[Item], i: int) -> tuple[float, int]:
    """Return the sign at item `i` (-1 for "minus 5" or "-5") and the index after the sign."""
    word = items[i].word
    if word in {"minus", "negative"}:
        return -1.0, i + 1
    if word in {"-", "+"} and is_number(items, i + 1) and items[i + 1].glued:
        alone = not items[i].glued or (i > 0 and items[i - 1].word in {"(", "=", ":"})
        return (-1.0 if word == "-" else 1.0, i + 1) if alone else (1.0, i)
    return 1.0, i


def _digits(items: Sequence[Item], i: int) -> tuple[float, int]:
    """Read digits with a factor ("1.5k", "2 million") or a fraction of two numbers."""
    value = items[i].value
    if word_at(items, i + 1) == "/" and is_number(items, i + 2) and items[i + 2].glued:
        below = items[i + 2].value
        # "3/11" may be a date: only halves, thirds, quarters and the like are fractions.
        if 0 < value < below and below in {2, 3, 4, 5, 8, 10} and items[i + 1].glued:
            return value / below, i + 3
    factor = word_at(items, i + 1)
    if factor in _FACTORS and (len(factor) > 2 or items[i + 1].glued):
        return value * _FACTORS[factor], i + 2
    if factor == "m" and items[i + 1].glued and i and items[i - 1].word in "$€£":
        return value * 1e6, i + 2
    if factor == "dozen":
        return value * 12, i + 2
    return value, i + 1


def _cardinal(items: Sequence[Item], i: int) -> tuple[float, int] | None:
    """Read a number in words that begins at item `i`; return None if there is none."""
    first = word_at(items, i)
    if first in {"a", "an", "half"}:
        return _article_number(items, i)
    if first in _GROUPS:
        return _GROUPS[first], i + 1
    if first not in _SMALL and first not in _TENS and first not in {"hundred", "thousand"}:
        return None
    if first == "one" and i and items[i - 1].word in _PRONOUN:
        return None
    total, part, j = 0.0, None, i
    while j < len(items) and j - i < _LONGEST:
        word = items[j].word
        if word in _SMALL and _fits(part, _SMALL[word]):
            part = (part or 0.0) + _SMALL[word]
        elif word in _TENS and (part is None or (part >= 100 and part % 100 == 0)):
            part = (part or 0.0) + _TENS[word]
        elif word == "hundred" and (part is None or 0 < part < 100):
            part = (part or 1.0) * 100
        elif word in {"thousand", "million", "billion"}:
            total, part = total + (part or 1.0) * _FACTORS[word], None
        elif not _links(items, j, part, total):
            break
        j += 1
    value = total + (part or 0.0)
    if word_at(items, j) == "point" and word_at(items, j + 1) in _SMALL:
        return _decimals(items, j + 1, value)
    if word_at(items, j) == "dozen":
        return value * 12, j + 1
    return value, j


def _fits(part: float | None, value: float) -> bool:
    """Whether `value` (below twenty) can follow `part` in a number: "five" can follow "twenty"."""
    if part is None:
        return True
    if part % 100 == 0:
        return part > 0 and value > 0
    return part % 100 >= 20 and part % 10 == 0 and 0 < value < 10


def _links(items: Sequence[Item], j: int, part: float | None, total: float) -> bool:
    """Whether the item at `j` ("and", a comma or a hyphen) joins two parts of one number."""
    word, after = items[j].word, word_at(items, j + 1)
    if word == "-":
        hyphen = items[j].glued and j + 1 < len(items) and items[j + 1].glued
        return hyphen and (
            (part is not None and after in _SMALL and _fits(part, _SMALL[after]))
            or after in {"hundred", "thousand"}
        )
    if word not in {"and", ","} or (after not in _SMALL and after not in _TENS):
        return False
    if word == ",":
        # "Two thousand, three hundred"; "two hundred, three" are two numbers.
        behind = {word_at(items, k) for k in range(j + 2, j + 5)}
        return part is None and total > 0 and bool(behind & {"hundred", "thousand"})
    return (part is not None and part >= 100 and part % 100 == 0) or (part is None and total > 0)


def _decimals(items: Sequence[Item], j: int, value: float) -> tuple[float, int]:
    digits = ""
    while word_at(items, j) in _SMALL and len(digits) < _LONGEST:
        digits += f"{_SMALL[items[j].word]:.0f}"
        j += 1
    return value + float(f"0.{digits}"), j


def _article_number(items: Sequence[Item], i: int) -> tuple[float, int] | None:
    """Read a number that begins with an article or "half": "a hundred", "half a million"."""
    scale, j = (0.5, i + 1) if items[i].word == "half" else (1.0, i)
    if word_at(items, j) in {"a", "an"}:
        j += 1
    elif scale == 1.0:
        return None
    word = word_at(items, j)
    if word in _GROUPS:
        return scale * _GROUPS[word], j + 1
    if word not in _FACTORS or len(word) < 5:
        return None
    rest = _cardinal(items, j) if scale == 1.0 and word in {"hundred", "thousand"} else None
    return rest or (scale * _FACTORS[word], j + 1)


def _ordinal(items: Sequence[Item], i: int) -> tuple[float, int] | None:
    """Read an ordinal such as "3rd", "third" or "twenty-first" at item `i`, or return None."""
    word = items[i].word
    if items[i].kind == "number":
        glued = i + 1 < len(items) and items[i + 1].glued
        return (items[i].value, i + 2) if glued and items[i + 1].word in _ENDINGS else None
    if word in _TENS:
        j = i + 2 if word_at(items, i + 1) == "-" else i + 1
        unit = _ORDINALS.get(word_at(items, j), 99)
        return (_TENS[word] + unit, j + 1) if unit < 10 else None
    if word in _ORDINALS and not (i and items[i - 1].kind == "number"):
        return float(_ORDINALS[word]), i + 1
    return None


def _part(items: Sequence[Item], i: int) -> tuple[float, int] | None:
    """Read a fraction such as "half", "a third of" or "two-thirds" at item `i`, or return None."""
    word = items[i].word
    j = i
    above = 1.0
    if word in {"a", "an", "one"}:
        j += 1
    elif _SMALL.get(word):
        above = _SMALL[word]
        j += 2 if word_at(items, i + 1) == "-" else 1
    elif items[i].kind == "number" and items[i].value < 100:
        above = items[i].value
        j += 1
    name = word_at(items, j)
    many = above != 1.0 and word_at(items, i + 1) != "-"
    if name not in _PARTS or (many and not name.endswith("s")):
        return None
    if name in _ORDINALS and (j == i or word_at(items, j + 1) not in _BEHIND_PART):
        return None
    if name == "half" and word_at(items, j + 1) == "a" and _article_number(items, j) is not None:
        return None
    return above / _PARTS[name], j + 1


def _mixed_number(items: Sequence[Item], value: float, end: int) -> tuple[float, int]:
    """Add a fraction that follows a number: "two and a half", "1 1/2"."""
    start = end + 1 if word_at(items, end) == "and" else end
    if start > end and start < len(items):
        part = _part(items, start)
        if part is not None and part[0] < 1:
            return value + part[0], part[1]
    if is_number(items, start) and not items[start].glued and value == int(value):
        read = _digits(items, start)
        if read[1] == start + 3 and read[0] < 1:
            return value + read[0], read[1]
    return value, end
