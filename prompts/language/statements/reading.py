"""Parse a text once, so that many values can be searched in it.

The module also compares words of names, and recognises what a text rejects: "not on Monday",
"anything but Thai".
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec

from prompts.language.statements.amounts import Amount, amounts_of
from prompts.language.statements.dates import Day, days_of
from prompts.language.statements.items import Item, items_of, normal
from prompts.language.statements.numbers import with_numbers
from prompts.language.statements.times import Clock, clocks_of
from prompts.language.words import word_set

LEFT_OUT = {"the", "a", "an", "and", "&"}
_SAME = {
    "street": "st", "saint": "st", "avenue": "ave", "road": "rd", "lane": "ln", "drive": "dr",
    "doctor": "dr", "boulevard": "blvd", "mount": "mt", "fort": "ft", "apartment": "apt",
    "company": "co", "international": "intl", "telephone": "phone", "television": "tv",
    "theatre": "theater", "centre": "center", "zero": "0", "one": "1", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "'n": "and", "north": "n", "south": "s", "east": "e", "west": "w", "square": "sq",
    "incorporated": "inc", "limited": "ltd", "mister": "mr", "versus": "vs", "versus.": "vs",
}  # fmt: skip


def compared_words(items: Sequence[Item]) -> tuple[list[str], list[int]]:
    """Return the words by which names are compared, and the indexes of their items."""
    words: list[str] = []
    positions: list[int] = []
    for i, item in enumerate(items):
        if item.kind == "sign":
            continue
        joined = item.glued or (i + 1 < len(items) and items[i + 1].glued)
        if item.word in LEFT_OUT and not (joined and _is_in_code(items, i)):
            continue
        # "Wi-Fi" and "wifi" meet when the words are put together; "3rd" is one word.
        words.append(plain_word(item.word))
        positions.append(i)
    return words, positions


def _is_in_code(items: Sequence[Item], i: int) -> bool:
    """Whether an "a" is part of a name like "A4" and not the article, as in "a 4"."""
    return any(0 <= j < len(items) and items[j].word.isdigit() for j in (i - 1, i + 1))


@lru_cache(maxsize=50_000)
def plain_word(word: str) -> str:
    """Return a word without apostrophe; "street" and "zero" become their short forms."""
    bare = word.replace("'", "").replace(",", "")
    return _SAME.get(bare, bare)


NEGATORS = word_set(
    "not no never without except excluding isn't aren't don't doesn't won't can't cannot needn't "
    "wouldn't shouldn't dont avoid nor didn't wasn't neither minus skip mustn't"
)
_PAIRS = {
    ("rather", "than"), ("instead", "of"), ("other", "than"), ("anything", "but"),
    ("everything", "but"), ("anywhere", "but"), ("except", "for"), ("any", "but"),
    ("opposed", "to"), ("anybody", "but"), ("day", "but"),
}  # fmt: skip
_FILLERS = word_set(
    "the a an on in at for to any want be it my of from need like have by go book take prefer "
    "necessarily really with another some this that use very too so"
)
_BEFORE_NOT = {"why", "if", "whether", "or", "only"}
_REACH = 4


def not_yet(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether "yet" near these items means that their time is still to come: "not yet seven".

    "not seven in the morning yet" means that it is before seven.
    """
    around = [*items[max(0, start - 1) : start], *items[end : end + _REACH]]
    return any(item.word == "yet" for item in around)


def negated(items: Sequence[Item], start: int) -> bool:
    """Whether the text negates or rejects the phrase that begins at item `start`."""
    j = start - 1
    while j >= max(0, start - _REACH):
        word = items[j].word
        if j and (items[j - 1].word, word) in _PAIRS:
            return True
        if word in NEGATORS:
            return not (j and items[j - 1].word in _BEFORE_NOT)
        if word not in _FILLERS:
            return False
        j -= 1
    return False


class Reading(msgspec.Struct, frozen=True, dict=True):
    """A parsed text, with the days, times and amounts that it names.

    `plain` are the words, numbers and signs of the text. `items` are the same, but each number in
    words is merged into one item.
    """

    text: str
    plain: tuple[Item, ...]
    items: tuple[Item, ...]
    days: tuple[Day, ...]
    clocks: tuple[Clock, ...]
    amounts: tuple[Amount, ...]

    @cached_property
    def worded(self) -> tuple[list[str], list[int], frozenset[str]]:
        """The words by which names are compared, their items' indexes, and a set of the words."""
        words, positions = compared_words(self.plain)
        return words, positions, frozenset(words)


@lru_cache(maxsize=16)
def read(text: str) -> Reading:
    """Parse a text once for all values that are searched in it; the last few results are cached."""
    return read_anew(text)


def read_anew(text: str) -> Reading:
    """Parse a text without the cache.

    The time depends only on the length of the text.
    """
    normal_text = normal(text)
    plain = items_of(normal_text)
    items = with_numbers(plain)
    # The order matters: a time takes its words from days, and both take theirs from amounts, so
    # that "March 8 at 7 pm" contains neither a 7th day nor an amount.
    clocks = clocks_of(items)
    sure = {i for clock in clocks if not clock.bare for i in range(clock.start, clock.end)}
    days = days_of(_without(items, sure))
    taken = sure | {i for day in days for i in range(day.start, day.end)}
    return Reading(normal_text, plain, items, days, clocks, amounts_of(items, taken))


def _without(items: tuple[Item, ...], taken: set[int]) -> tuple[Item, ...]:
    """Mask the words of clock times, so that the 7 of "March at 7 pm" is not read as a day."""
    if not taken:
        return items
    return tuple(
        msgspec.structs.replace(item, kind="sign", word="\0") if i in taken else item
        for i, item in enumerate(items)
    )
