"""Identifiers and texts as plain words."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Lower case, compatible forms unified, runs of punctuation and blanks as one blank."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded))


def title_words(name: str) -> str:
    """An identifier as words: `isAfter_Noon` is "is after noon"."""
    return plain(_CAMEL.sub(" ", name))
