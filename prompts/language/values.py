"""Values and identifiers as plain words; whether a text says a value is told by `saying`."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Lower case, compatible forms unified, runs of punctuation and blanks as one blank."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded))


def title_words(name: str) -> str:
    """An identifier as words: `isAfter_Noon` is "is after noon"."""
    return plain(_CAMEL.sub(" ", name))


def read_number(text: str) -> float | None:
    """The number a whole text is, None when it is none."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    return float(stripped.replace(",", ""))
