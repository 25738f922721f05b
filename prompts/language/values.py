"""Converts values and identifiers to plain words; `saying` checks if a text states a value."""

import re

from benchloom.core.plain_words import plain, title_words

__all__ = ["plain", "read_number", "title_words"]

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+")


def read_number(text: str) -> float | None:
    """Return the number that the whole text represents, or None."""
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    return float(stripped.replace(",", ""))
