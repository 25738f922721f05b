"""Split values and identifiers into plain words, and reduce words to their stems."""

import re
from functools import lru_cache

import snowballstemmer

from benchloom.core.plain_words import plain, title_words

_STOPWORDS = (
    "a an the and or but if then else for of to in on at by with from into is are was were be "
    "been it its this that these those i me my we us our you your he she they them their what "
    "which who when where how can could would should will shall may might must do does did "
    "have has had not no so as some any all get make use new one app please want need help "
    "let also there here about out up"
)
STOPWORDS = frozenset(_STOPWORDS.split())
_VERBS = (
    "book find search reserve look check show set order give tell buy schedule start add "
    "create list see try take put name type time date number info information service user"
)


MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def word_set(text: str) -> frozenset[str]:
    """Return the set of a text's words, split at blanks."""
    return frozenset(text.split())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return a lower-case word without its English ending (Snowball stemmer)."""
    # A stemmer changes its own word in place, so each word gets one; words repeat.
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def stem_set(text: str) -> frozenset[str]:
    """Return the set of the stems of a text's words, split at blanks."""
    return frozenset(map(stem, text.split()))


POINTLESS = STOPWORDS | word_set(_VERBS) | stem_set(f"{_VERBS} {_STOPWORDS}")
"""Words and stems that fit any API call, so that they are no evidence for one of them."""


__all__ = ["plain", "read_number", "title_words"]

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")


def read_number(text: str) -> float | None:
    """Return the number that the whole text represents, or None if it represents none."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    return float(stripped.replace(",", ""))
