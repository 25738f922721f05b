"""The words of a text that are used to compare names."""

from collections.abc import Sequence
from functools import lru_cache

from prompts.language.saying.items import Item

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
    """Return the words used to compare names, and the indexes of their items."""
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
    """Whether an "a" is part of a name like "A4"; the article in "a 4" is not."""
    return any(0 <= j < len(items) and items[j].word.isdigit() for j in (i - 1, i + 1))


@lru_cache(maxsize=50_000)
def plain_word(word: str) -> str:
    """Strip the apostrophe from a word, and shorten "street" and "zero"."""
    bare = word.replace("'", "").replace(",", "")
    return _SAME.get(bare, bare)
