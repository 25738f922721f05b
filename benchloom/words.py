"""Identifiers and texts as plain words."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"[^\W_]+")
NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
"""The words of an identifier, of any alphabet."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Lower case, compatible forms unified, runs of punctuation and blanks as one blank."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(WORD.findall(folded))


def title_words(name: str) -> str:
    """An identifier as words: `isAfter_Noon` is "is after noon"."""
    return plain(_CAMEL.sub(" ", name))
