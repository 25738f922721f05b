"""Find amounts in a text: numbers with a unit, with a counted noun, or as part of a name."""

from collections.abc import Sequence

import msgspec

from prompts.language.statements.items import Item, word_at
from prompts.language.statements.units import Unit, unit_named
from prompts.language.words import word_set

_ARTICLES = {"a", "an", "another"}
_FURTHER = {"more", "extra", "additional", "further"}
_CURRENCIES = {"$", "\u20ac", "\u00a3", "\u00a5", "\u20b9", "usd", "eur", "gbp"}
_STREETS = {
    "street", "st", "avenue", "ave", "road", "rd", "lane", "ln", "drive", "dr", "boulevard", "blvd",
    "way", "court", "ct", "square", "place", "highway", "parkway",
}  # fmt: skip
_NUMBERED_NOUNS = word_set(
    "room platform gate level chapter page line bus route flight version ios ipados macos iphone "
    "ipad windows android apartment apt suite unit no # number track terminal step episode season "
    "part item index row seat floor exit highway interstate zone train model type grade day week "
    "table area studio channel volume psalm lesson fortune top"
)
_SKIPPED = word_set(
    "more extra additional other different whole full new good of - my our the these those us "
    "great nice large small big single separate double consecutive cheap"
)
_NO_NOUN = word_set(
    "in at on for to from with by and or but please is are was if when that this so then until "
    "till before after i we you it who would will can about near a an as not than around per each "
    "only tonight today tomorrow starting into should because there here now later instead once "
    "under over"
)
_COUNTED_BY_PLACE = {"", "street", "floor", "birthday", "avenue", "time", "day", "row", "page"}
"""If one of these nouns (or none, "") follows "twenty-second", the phrase means the 22nd, and not
20 seconds."""
_HOUR = 3600.0
_PER = {"per", "/", "an", "a"}
_LATEST = {"last", "past", "next", "coming", "previous", "following"}


class Amount(msgspec.Struct, frozen=True, gc=False):
    """A number in a text, with its unit if there is one, and the noun that the number counts.

    `value` is in the unit that the text uses. `place` is the word before a number that only names
    something ("room 12", "line 42"). `at` is True if the number may be an hour of the day, and
    `address` if it begins a street address. `start` and `end` delimit the items of the text (words
    and signs) that express the number.
    """

    value: float
    unit: Unit | None
    noun: str
    start: int
    end: int
    ordinal: bool = False
    fraction: bool = False
    place: str = ""
    at: bool = False
    address: bool = False

    @property
    def base(self) -> float:
        """The value converted to the base unit of the quantity that the unit measures."""
        return self.value * self.unit.size if self.unit is not None else self.value


def amounts_of(items: Sequence[Item], taken: set[int]) -> tuple[Amount, ...]:
    """Return every amount among the items, except items in `taken`, which are dates or times."""
    amounts: list[Amount] = []
    i = 0
    while i < len(items):
        counts = items[i].kind == "number" or items[i].word in _ARTICLES | _LATEST
        amount = _amount(items, i) if counts and i not in taken else None
        if amount is None:
            i += 1
            continue
        amount = _with_parts(items, amount, taken)
        amounts.append(amount)
        i = max(amount.end, i + 1)
    return tuple(amounts)


def _amount(items: Sequence[Item], i: int) -> Amount | None:
    item = items[i]
    if item.kind == "number":
        return _counted_amount(items, i)
    if item.word in _ARTICLES | _LATEST:
        # "an hour", "the last day"; for other single things the parameter shows the meaning.
        unit, end = _further_unit(items, i + 1)
        timed = item.word in _ARTICLES or (unit is not None and unit.measures == "time")
        if unit is not None and timed and len(items[end - 1].word) > 2:
            return Amount(1.0, unit, items[end - 1].word, i, end)
    return None


def _counted_amount(items: Sequence[Item], i: int) -> Amount:
    item = items[i]
    before = word_at(items, i - 1)
    money = before in _CURRENCIES
    behind = i + 2 if word_at(items, i + 1) == "of" and item.word.endswith("couple") else i + 1
    unit, end = (unit_named(before), i + 1) if money else _further_unit(items, behind)
    if item.fraction and unit is None:
        unit, end = _unit_of_part(items, i + 1)
    noun, behind = _noun(items, end if unit is None else i + 1)
    if item.ordinal:
        unit, end = None, i + 1
        if item.word.endswith(" second") and noun not in _COUNTED_BY_PLACE:
            seconds = item.value - 2
            return Amount(seconds, unit_named("second"), noun, i, end)
    if behind > end and unit is None:
        end = i + 1
    return Amount(
        item.value, unit, noun, i, end, item.ordinal, item.fraction,
        place=_numbered_noun(items, i) if unit is None else "",
        at=before in {"at", "until", "till"} and not noun, address=_is_address(items, i),
    )  # fmt: skip


def _unit(items: Sequence[Item], j: int) -> tuple[Unit | None, int]:
    """Return the unit (or None) that begins at item `j`, and the index after the unit."""
    if word_at(items, j) == "-" and items[j].glued:
        j += 1
    word = word_at(items, j)
    if word == "per" and word_at(items, j + 1) == "cent":
        return unit_named("percent"), j + 2
    if word in {"square", "sq"} and unit_named(word_at(items, j + 1)) is not None:
        return unit_named("sqm"), j + 2
    if word in {"\u00b0", "degree", "degrees"}:
        scale = {"c": "celsius", "f": "fahrenheit"}.get(
            word_at(items, j + 1), word_at(items, j + 1)
        )
        named = unit_named(scale)
        if named is not None and named.measures == "temperature":
            return named, j + 2
        return unit_named("degree"), j + 1
    is_last = word_at(items, j + 1) in {"", ".", ",", ";", ")", "each", "per", "apart", "long"}
    if word in {"m", "s", "d", "w"} and not (items[j].glued or is_last):
        return None, j
    unit = unit_named(word)
    if unit is None:
        return None, j
    if unit.measures == "distance" and word_at(items, j + 1) in _PER:
        time = unit_named(word_at(items, j + 2))
        if time is not None and time.size in {1, _HOUR}:
            return Unit("speed", unit.size / time.size), j + 3
    return unit, j + 1


def _further_unit(items: Sequence[Item], j: int) -> tuple[Unit | None, int]:
    """Return the unit at item `j` and the index after it, skipping a word such as "extra"."""
    if word_at(items, j) not in _FURTHER:
        return _unit(items, j)
    unit, end = _unit(items, j + 1)
    return (unit, end) if unit is not None else (None, j)


def _unit_of_part(items: Sequence[Item], j: int) -> tuple[Unit | None, int]:
    """Return the unit after a fraction: the hour in "half an hour", the kilo in "half a kilo"."""
    k = j
    while k < j + 2 and word_at(items, k) in {"of", "a", "an"}:
        k += 1
    unit, end = _unit(items, k)
    return (unit, end) if k > j else (None, j)


def _with_parts(items: Sequence[Item], amount: Amount, taken: set[int]) -> Amount:
    """Add the smaller units that follow, such as the minutes in "an hour and 15 minutes"."""
    whole = amount.unit
    smallest = whole
    while whole is not None and smallest is not None and not amount.ordinal:
        j = amount.end + 1 if word_at(items, amount.end) == "and" else amount.end
        if j >= len(items) or j in taken or items[j].kind != "number" or items[j].ordinal:
            break
        part, value = _counted_amount(items, j), items[j].value
        if items[j].fraction and part.unit is None and j > amount.end:
            step = value * whole.size
        elif part.unit is None and items[j].glued and whole.size == _HOUR and value < 60:
            step = value * 60
        elif part.unit is not None and _is_smaller(part.unit, smallest):
            step = part.base
        else:
            break
        amount = msgspec.structs.replace(
            amount, value=amount.value + step / whole.size, end=max(part.end, j + 1)
        )
        smallest = part.unit
    return amount


def _is_smaller(part: Unit, unit: Unit) -> bool:
    if part.measures != unit.measures or not part.size:
        return False
    return part.size < unit.size and not (part.measures == "money" and part.size > 0.5)


def _noun(items: Sequence[Item], j: int) -> tuple[str, int]:
    """Return the noun (at most three words) that a number counts, and the index after the noun."""
    k = j
    last, noun = j, ""
    while k < min(j + 5, len(items)):
        item = items[k]
        if item.word in _SKIPPED and item.kind in {"word", "sign"}:
            k += 1
            if item.word == "us":
                return "us", k
            continue
        if item.kind != "word" or item.word in _NO_NOUN:
            break
        noun, last = f"{noun} {item.word}".strip(), k + 1
        k += 1
        if len(noun.split()) == 3:
            break
    return noun, last


def _numbered_noun(items: Sequence[Item], i: int) -> str:
    word = word_at(items, i - 1)
    if word == "." and word_at(items, i - 2) in {"no", "apt"}:
        word = word_at(items, i - 2)
    return word if word in _NUMBERED_NOUNS else ""


def _is_address(items: Sequence[Item], i: int) -> bool:
    """Whether a street address begins at item `i`: a number and 1 to 3 words ("18 Elm Street")."""
    if not items[i].digits or items[i].value != int(items[i].value):
        return False
    for k in range(i + 2, min(i + 5, len(items))):
        if items[k - 1].kind != "word" or items[k - 1].word in _NO_NOUN:
            return False
        if items[k].word in _STREETS:
            return True
    return False
