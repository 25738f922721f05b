"""Where the pages of a site or category end, and what they are called.

Entries stand on pages in the order in which they came, and on each page by their names. A page ends
with an entry that draws so, by what it is about: a new entry changes the page on which it stands,
and mostly no other. Pages are named by their first entry, since numbers would move.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

PAGE_ENTRIES = 100
"""Entries of a page on average; as many or fewer of a site or category stand on one page."""
FIRST_PAGE = "1"
T = TypeVar("T")


class EntryPage(msgspec.Struct, frozen=True):
    """A page: its name, the number of its first entry in the order of all, and how many it has."""

    name: str
    first: int
    count: int


class EntryGroup(msgspec.Struct, frozen=True):
    """A site or category with its pages in order."""

    name: str
    pages: tuple[EntryPage, ...]

    @property
    def count(self) -> int:
        """Its entries."""
        return sum(page.count for page in self.pages)


def cut(entries: Iterable[T], draw: Callable[[T], str], size: int) -> Iterator[list[T]]:
    """Entries in runs that end by what they draw: a hexadecimal number that is spread evenly.

    A run has `size` entries on average, at most twice and at least half as many, but for the last.
    """
    least = chance = max(1, size // 2)
    run: list[T] = []
    for one in entries:
        run.append(one)
        ends = len(run) >= least and int(draw(one), 16) % chance == 0
        if ends or len(run) == 2 * size:
            yield run
            run = []
    if run:
        yield run


def pages_of(entries: Iterable[T], count: int, draw: Callable[[T], str]) -> Iterator[list[T]]:
    """The entries of each page of a site or category with so many."""
    if count <= PAGE_ENTRIES:
        yield list(entries)
    else:
        yield from cut(entries, draw, PAGE_ENTRIES)
