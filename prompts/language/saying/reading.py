"""Parses a text once, so that many values can be searched in it."""

from functools import cached_property, lru_cache

import msgspec

from prompts.language.saying.amounts import Amount, amounts_of
from prompts.language.saying.dates import Day, days_of
from prompts.language.saying.items import Item, items_of, normal
from prompts.language.saying.numbers import with_numbers
from prompts.language.saying.times import Clock, clocks_of
from prompts.language.saying.wording import compared_words


class Reading(msgspec.Struct, frozen=True, dict=True):
    """The words of a text, and the days, times and amounts that the text names."""

    text: str
    plain: tuple[Item, ...]
    items: tuple[Item, ...]
    days: tuple[Day, ...]
    clocks: tuple[Clock, ...]
    amounts: tuple[Amount, ...]

    @cached_property
    def worded(self) -> tuple[list[str], list[int], frozenset[str]]:
        """The words used to compare names, the indexes of their items, and the word set."""
        words, positions = compared_words(self.plain)
        return words, positions, frozenset(words)


@lru_cache(maxsize=16)
def read(text: str) -> Reading:
    """Parse a text once for all its values; the last few results are cached."""
    return read_anew(text)


def read_anew(text: str) -> Reading:
    """Parse a text without the cache; the time depends only on the length of the text."""
    normal_text = normal(text)
    plain = items_of(normal_text)
    items = with_numbers(plain)
    clocks = clocks_of(items)
    sure = {i for clock in clocks if not clock.bare for i in range(clock.start, clock.end)}
    days = days_of(_without(items, sure))
    taken = sure | {i for day in days for i in range(day.start, day.end)}
    return Reading(normal_text, plain, items, days, clocks, amounts_of(items, taken))


def _without(items: tuple[Item, ...], taken: set[int]) -> tuple[Item, ...]:
    """Replace the items of a time with signs: the 7 of "March at 7 pm" is not a day."""
    if not taken:
        return items
    return tuple(
        msgspec.structs.replace(item, kind="sign", word="\0") if i in taken else item
        for i, item in enumerate(items)
    )
