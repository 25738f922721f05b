"""Values and identifiers as plain words; whether a text says a value is told by `saying`."""

import re

from benchloom.core.plain_words import plain, title_words

__all__ = ["plain", "read_number", "title_words"]

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")


def read_number(text: str) -> float | None:
    """The number a whole text is, None when it is none."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    return float(stripped.replace(",", ""))
