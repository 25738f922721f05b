"""Generate the data of level 3, whose databases are not published, from the arguments of calls.

Equal questions get equal answers on every machine, and tools agree about the same thing.
"""

from collections.abc import Sequence
from typing import TypeVar

from benchloom.core.identity import digest_of_parts, hex_of

T = TypeVar("T")


def number(below: int, *about: str) -> int:
    """Return a number from 0 to `below` - 1, determined by the texts."""
    parts = [subject.strip().casefold() for subject in about]
    return int(hex_of(digest_of_parts("drawn", parts)), 16) % below


def some(items: Sequence[T], most: int, *about: str) -> list[T]:
    """Return one to `most` of the items in their order, determined by the texts."""
    count = 1 + number(most, "count", *about)
    ranked = sorted(range(len(items)), key=lambda at: number(2**64, "rank", str(at), *about))
    return [items[at] for at in sorted(ranked[:count])]
