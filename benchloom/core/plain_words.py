"""Convert identifiers and texts to plain words."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"[^\W_]+")
NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
"""Matches each word of an identifier, in any alphabet: `WFInput2` has "WF", "Input" and "2"."""
SMALL_NUMBER_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
ABSENT = "not stated"
"""Pages, reports and plots show this text in place of a missing value."""
_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
_LONGEST_NAME = 100
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|-+")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Return the words of a text in lower case and NFKC form, separated by single spaces."""
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(WORD.findall(folded.casefold()))


def title_words(name: str) -> str:
    """Return an identifier as words in lower case: `isAfter_Noon` becomes "is after noon"."""
    return _split_words(name) if len(name) <= _LONGEST_NAME else plain(_CAMEL.sub(" ", name))


@lru_cache(maxsize=4096)
def _split_words(name: str) -> str:
    # Cached, because many rows share names.
    return plain(_CAMEL.sub(" ", name))


def shortened(text: str, most: int = 300) -> str:
    """Cut a text to at most `most` characters. A text that was cut ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def words_and_marks(text: str) -> list[str]:
    """Split a text into words (runs of letters and digits) and punctuation marks, in order."""
    return _WORD_OR_MARK.findall(text)
