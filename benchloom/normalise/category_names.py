"""Unify the spelling of sites' categories: `Utilities` and `utilities` are the same."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from benchloom.core.records import Listing


def unify_spelling(listings: Sequence[Listing]) -> tuple[Listing, ...]:
    """Return the listings with the best spelling of each category, once in each row.

    Names that differ in letter case, width of letters or blanks are one category.
    """
    best = _best_spellings(name for row in listings for name in _named(row))
    return tuple(_renamed(row, best) for row in listings)


def _named(row: Listing) -> tuple[str, ...]:
    return (*row.categories, *([row.category] if row.category is not None else []))


def _same(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _best_spellings(names: Iterable[str]) -> dict[str, str]:
    groups: dict[str, Counter[str]] = {}
    for name in names:
        groups.setdefault(_same(name), Counter())[" ".join(name.split())] += 1
    return {
        same: min(spellings, key=lambda n: _rank(n, spellings[n]))
        for same, spellings in groups.items()
    }


def _rank(name: str, count: int) -> tuple[int, int, str]:
    # Smaller is better: capital initials, but not all capitals.
    words = name.split()
    initials = sum(word[:1].isupper() and not (len(word) > 1 and word.isupper()) for word in words)
    return -initials, -count, name


def _renamed(row: Listing, best: dict[str, str]) -> Listing:
    names = tuple(dict.fromkeys(best[_same(name)] for name in row.categories))
    first = None if row.category is None else best[_same(row.category)]
    if names == row.categories and first == row.category:
        return row
    return msgspec.structs.replace(row, categories=names, category=first)
