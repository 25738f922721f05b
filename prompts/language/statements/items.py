"""Split a text into items: words, numbers, dates and times in digits, codes and signs."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

_TOKEN = re.compile(
    r"""
    (?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)*)
    | (?P<date>(?<![\d.,/-])(?:
        [0-9]{4}([-/.])[0-9]{1,2}\3[0-9]{1,2} | [0-9]{1,2}([-/.])[0-9]{1,2}\4(?:[0-9]{4}|[0-9]{2})
    )(?![\d]|[-/][\d]|\.[\d]))
    | (?P<clock>(?<![\d.:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?![\d]|:[\d]))
    | (?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![\d]|,[\d])(?:\.[0-9]+)?
        | [0-9]+(?:\.[0-9]+)? | (?<![\w.])\.[0-9]+)
    | (?P<sign>\S)
    """,
    re.VERBOSE,
)
_LONGEST_NUMBER = 15
"""Maximum digits of a number, which a float can store. Longer numbers are codes, which are compared
digit by digit."""
_OF_DIGITS = frozenset({"number", "date", "clock"})
_PHONE = 7
"""Groups of at least this many digits together are a telephone number, and not several counts."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """A word, number, date, clock time, code or sign, and its position in the text.

    `word` is in lower case without accents. `kind` is one of "word", "number", "date", "clock",
    "code" (digits that count nothing) and "sign". `glued` is True if no blank precedes the item.
    `ordinal` and `fraction` tell how a number was written, and `digits` is True if it was written
    in digits.
    """

    kind: str
    word: str
    start: int
    end: int
    glued: bool
    value: float = 0.0
    ordinal: bool = False
    fraction: bool = False
    digits: bool = False


def word_at(items: Sequence[Item], i: int) -> str:
    """Return the word of item `i`, or "" if there is no item with this index."""
    return items[i].word if 0 <= i < len(items) else ""


def is_number(items: Sequence[Item], i: int) -> bool:
    """Whether item `i` exists and is a number."""
    return 0 <= i < len(items) and items[i].kind == "number"


def folded(text: str) -> str:
    """Convert a text to lower case, without accents and with plain quotes and dashes."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def normal(text: str) -> str:
    """Replace special characters by plain ones: fractions, full-width digits, quotes, dashes."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).translate(_SIGNS)


# Compatible forms would make eleven halves of "1½".
_FRACTIONS = str.maketrans({"\u00bd": " 1/2", "\u00bc": " 1/4", "\u00be": " 3/4"})
_SIGNS = str.maketrans(
    {
        "\u2019": "'", "\u2018": "'", "\u2044": "/", "\u2010": "-", "\u2011": "-",
        "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    }
)  # fmt: skip


def items_of(text: str) -> tuple[Item, ...]:
    """Split a text into its items, in order; the text must have been prepared by `normal`."""
    items = list(_tokens(text))
    if not any(item.kind in _OF_DIGITS for item in items):
        return tuple(items)
    return tuple(_mark_codes(items, text))


def _tokens(text: str) -> Iterator[Item]:
    end = -1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        word = match.group()
        value = 0.0
        if kind == "number":
            plain = word.replace(",", "")
            if len(plain) > _LONGEST_NUMBER:
                kind = "code"
            else:
                value = float(plain)
        yield Item(
            kind, folded(word), match.start(), match.end(), match.start() == end, value,
            digits=kind == "number",
        )  # fmt: skip
        end = match.end()


def _mark_codes(items: list[Item], text: str) -> Iterator[Item]:
    """Mark numbers as codes if they are in an address, version, telephone number or name."""
    codes = _phones(items) | _addresses(items, text)
    for i, item in enumerate(items):
        if item.kind in _OF_DIGITS and (i in codes or _in_code(items, i)):
            yield msgspec.structs.replace(item, kind="code")
        else:
            yield item


def _addresses(items: list[Item], text: str) -> set[int]:
    """Return the indexes of the items inside a web or mail address."""
    if "@" not in text and "://" not in text:
        return set()
    spans = [
        match.span() for match in re.finditer(r"\S+", text)
        if "@" in match.group() or "://" in match.group()
    ]  # fmt: skip
    inside: set[int] = set()
    i = 0
    for start, end in spans:
        while i < len(items) and items[i].start < end:
            if items[i].start >= start:
                inside.add(i)
            i += 1
    return inside


def _phones(items: list[Item]) -> set[int]:
    """Return the indexes of consecutive digit groups that form a telephone number."""
    phone_indices: set[int] = set()
    run: list[int] = []
    for i in range(len(items) + 1):
        item = items[i] if i < len(items) else None
        if item is not None and item.kind == "number" and item.word.isdigit():
            run.append(i)
        elif item is None or not (run and item.kind == "sign" and item.word in "-()+."):
            groups = [items[j].word for j in run]
            if (
                len(groups) > 1
                and sum(map(len, groups)) >= _PHONE
                and all(len(group) > 1 for group in groups[1:])
            ):
                phone_indices.update(run)
            run = []
    return phone_indices


def _in_code(items: list[Item], i: int) -> bool:
    """Whether digits are part of a name, because letters or other digits are attached to them."""
    item = items[i]
    before = items[i - 1] if i and item.glued else None
    after = items[i + 1] if i + 1 < len(items) and items[i + 1].glued else None
    if before is not None and before.kind in {"word", "number", "code"}:
        # "1h30" and "19h30" are durations and clocks, "US$5" has a sign between.
        return before.word not in {"h", "usd", "eur", "gbp", "rs", "x"}
    if item.kind != "number":
        return False
    if after is not None and after.kind in {"number", "code", "date"}:
        return True
    return _is_joined(items, i, -1) or _is_joined(items, i, 1)


def _is_joined(items: list[Item], i: int, step: int) -> bool:
    """Whether a sign without blanks joins digits to a neighbour, except in a range ("10-14")."""
    j, k = i + step, i + 2 * step
    if not 0 <= k < len(items) or items[j].kind != "sign" or items[j].word not in "-.:_":
        return False
    inner = items[max(i, j)], items[max(j, k)]
    if not all(item.glued for item in inner):
        return False
    other = items[k]
    if other.kind == "word":
        # "A-4" and "COVID-19" are names; "mid-10" is none, "$5-a-day" has words behind.
        return step < 0 and items[j].word in "-_" and len(other.word) > 0 and not items[k].digits
    if other.kind not in {"number", "code"}:
        return False
    low, high = (items[i], other) if step > 0 else (other, items[i])
    plain_range = items[j].word == "-" and low.kind == high.kind == "number"
    return not (plain_range and low.value < high.value and len(high.word) <= len(low.word) + 1
                and not high.word.startswith("0"))  # fmt: skip
