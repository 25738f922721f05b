"""What level 3 knows: its databases are not published, so it follows from what is asked.

The same question is answered alike everywhere, and two tools that are asked about one thing agree.
"""

from collections.abc import Sequence
from typing import TypeVar

from benchloom.core.identity import digest_of_parts, hex_of

T = TypeVar("T")


def number(below: int, *about: str) -> int:
    """A number from 0, below another, that follows from what it is about."""
    parts = [subject.strip().casefold() for subject in about]
    return int(hex_of(digest_of_parts("drawn", parts)), 16) % below


def some(items: Sequence[T], most: int, *about: str) -> list[T]:
    """Between one and some items, in the order of the whole."""
    count = 1 + number(most, "count", *about)
    ranked = sorted(range(len(items)), key=lambda at: number(2**64, "rank", str(at), *about))
    return [items[at] for at in sorted(ranked[:count])]
