"""The order of entries, by a database file beside the pages: memory does not grow."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from benchloom.release.describing.entries.packed import MadeEntry, MadeListing, MadeShortcut
from benchloom.release.describing.entries.paging import (
    FIRST_PAGE,
    EntryGroup,
    EntryPage,
    pages_of,
)
from benchloom.release.describing.entries.placed import ENTRIES, ORDER, PLACE, Placed
from benchloom.release.describing.entries.records import Made
from benchloom.words import UNTOLD

_ENCODER = msgspec.msgpack.Encoder()
_OWN = 1_000_000_000_000
"""The first number of entries that shortcuts have of their own: behind all that are listed."""
_SCHEMA = """
CREATE TABLE shortcut (number INTEGER PRIMARY KEY, digest BLOB, made BLOB, steps INTEGER,
    steps_size INTEGER, count BLOB, listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE icloud (icloud_id TEXT, number INTEGER);
CREATE TABLE entry (number INTEGER PRIMARY KEY, came INTEGER, sort TEXT, site TEXT, ident TEXT,
    start INTEGER, words INTEGER, further INTEGER, about INTEGER, links INTEGER, count BLOB,
    steps INTEGER, steps_size INTEGER, site_is_sound INTEGER, category_is_sound INTEGER);
CREATE TABLE category (name TEXT, entry INTEGER);
"""
_INDEXES = """
CREATE INDEX icloud_by_id ON icloud (icloud_id, number);
"""
_PLACES = """
DELETE FROM entry WHERE number >= 1000000000000
    AND number - 1000000000000 IN (SELECT number FROM shortcut WHERE listed);
DELETE FROM category WHERE entry >= 1000000000000
    AND entry - 1000000000000 IN (SELECT number FROM shortcut WHERE listed);
CREATE TABLE ranked (entry INTEGER PRIMARY KEY, anchor TEXT, start INTEGER, size INTEGER);
"""
_INSERTED = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_RANKED = "INSERT INTO ranked VALUES (?, ?, ?, ?)"
_AGAIN = """
SELECT number, row_number() OVER (PARTITION BY ident ORDER BY number) FROM entry
    WHERE ident IN (SELECT ident FROM entry GROUP BY ident HAVING count(*) > 1)
"""
_SITES = "SELECT site, count(*) FROM entry GROUP BY site"
_CATEGORIES = "SELECT name, count(*) FROM category GROUP BY name"
_BY_SITE = """
SELECT site, sort, ident, number, start, words, further, about, links, count, steps, steps_size,
    site_is_sound, category_is_sound FROM entry ORDER BY site, came, number
"""
_BY_CATEGORY = """
SELECT name, sort, ident, anchor, ranked.start, size FROM category
    JOIN entry ON entry.number = category.entry
    JOIN ranked ON ranked.entry = category.entry ORDER BY name, came, category.entry
"""
_FOUND = """
SELECT number, digest, made, steps, steps_size, count FROM icloud JOIN shortcut USING (number)
    WHERE icloud_id = ? ORDER BY number LIMIT 1
"""


_DIGEST = """
SELECT digest FROM icloud JOIN shortcut USING (number) WHERE icloud_id = ? ORDER BY number LIMIT 1
"""


class FoundShortcut(NamedTuple):
    """A shortcut that a listing leads to; `steps` is their place, `counted` their number."""

    number: int
    digest: bytes
    made: Made
    steps: tuple[int, int]
    counted: bytes


class EntryOrder:
    """The order of entries while it is made, in a new file.

    Without listings no shortcut has to be found. What it raises of sqlite3 is for its maker to
    tell.
    """

    def __init__(self, path: Path, *, has_listings: bool) -> None:
        self._has_listings = has_listings
        self._groups: dict[str, list[EntryGroup]] = {}
        self._database = sqlite3.connect(path)
        self._database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
        self._rows = 0
        self._listings = 0

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add_shortcuts(self, records: Sequence[MadeShortcut], rows: int, begin: int) -> None:
        """Add the shortcuts of a file of so many rows; their pieces begin at a place."""
        first = self._rows
        self._rows += rows
        entries: list[_Added] = []
        places: list[int] = []
        for one in records:
            steps = begin + (0 if one.entry is None else sum(one.entry.sizes))
            places.append(steps)
            if one.entry is not None:
                came, place = first + one.row, (steps, one.steps_size)
                entries.append(_Added(_OWN + came, came, one.entry, begin, place))
            begin = steps + one.steps_size
        if self._has_listings:
            self._add_to_be_found(records, first, places)
        self._insert(entries)

    def _add_to_be_found(
        self, records: Sequence[MadeShortcut], first: int, places: Sequence[int]
    ) -> None:
        self._database.executemany(
            "INSERT INTO shortcut VALUES (?, ?, ?, ?, ?, ?, 0)",
            (
                (first + one.row, one.digest, msgspec.msgpack.encode(one.made), steps,
                 one.steps_size, one.count)
                for one, steps in zip(records, places, strict=True)
            ),
        )  # fmt: skip
        self._database.executemany(
            "INSERT INTO icloud VALUES (?, ?)",
            ((found, first + one.row) for one in records for found in one.icloud_ids),
        )

    def let_listings_find(self) -> None:
        """Let shortcuts be found by what listings know them by, by other processes too."""
        self._database.executescript(_INDEXES)
        self._database.commit()

    def add_listings(self, records: Iterable[MadeListing], begin: int) -> None:
        """Add the listings of a file; their pieces begin at a place."""
        entries: list[_Added] = []
        for one in records:
            self._listings += 1
            found = None if one.digest is None else shortcut_behind(self._database, one.icloud_id)
            if found is None:
                continue
            self._database.execute(
                "UPDATE shortcut SET listed = 1 WHERE number = ?", (found.number,)
            )
            if one.entry is not None:
                added = _Added(self._listings, found.number, one.entry, begin, found.steps)
                entries.append(added)
                begin += sum(one.entry.sizes)
        self._insert(entries)

    def _insert(self, entries: "Sequence[_Added]") -> None:
        self._database.executemany(
            _INSERTED,
            (
                (number, came, one.sort, one.site, one.ident, start, *one.sizes, one.count, *steps,
                 one.site_is_sound, one.category_is_sound)
                for number, came, one, start, steps in entries
            ),
        )  # fmt: skip
        self._database.executemany(
            "INSERT INTO category VALUES (?, ?)",
            ((name, one.number) for one in entries for name in one.entry.categories),
        )

    def arrange(self, folder: Path) -> None:
        """Write all that was added in its order, for `placed_entries`."""
        self._database.executescript(_PLACES)
        with (folder / ENTRIES).open("wb") as entries, (folder / ORDER).open("wb") as order:
            self._groups["site"] = list(self._sites(entries, order))
            self._groups["category"] = list(self._categories(order, self.count()))

    def _sites(self, file: BinaryIO, order: BinaryIO) -> Iterator[EntryGroup]:
        """Write all entries by the pages of their sites."""
        again = {number: nth for number, nth in self._database.execute(_AGAIN) if nth > 1}
        counts = dict(self._database.execute(_SITES))
        first = start = 0
        found = map(_OfSite._make, self._database.execute(_BY_SITE))
        for site, rows in groupby(found, key=attrgetter("site")):
            pages: list[EntryPage] = []
            for page in pages_of(rows, counts[site], attrgetter("ident")):
                name = _anchor(page[0], again) if pages else FIRST_PAGE
                ranked: list[tuple[int, str, int, int]] = []
                for row in sorted(page, key=attrgetter("sort")):
                    placed = _placed(row, _anchor(row, again), name)
                    content = _ENCODER.encode(placed)
                    file.write(content)
                    order.write(PLACE.pack(start, len(content)))
                    ranked.append((row.number, placed.anchor, start, len(content)))
                    start += len(content)
                self._database.executemany(_RANKED, ranked)
                pages.append(EntryPage(name, first, len(page)))
                first += len(page)
            yield EntryGroup(site, tuple(pages))

    def _categories(self, order: BinaryIO, first: int) -> Iterator[EntryGroup]:
        """Write where the entries of each category lie; the first of them has a number."""
        counts = dict(self._database.execute(_CATEGORIES))
        found = map(_OfCategory._make, self._database.execute(_BY_CATEGORY))
        for category, rows in groupby(found, key=attrgetter("category")):
            pages: list[EntryPage] = []
            for page in pages_of(rows, counts[category], attrgetter("ident")):
                shown = sorted(page, key=attrgetter("sort"))
                order.writelines(PLACE.pack(row.start, row.size) for row in shown)
                pages.append(EntryPage(page[0].anchor if pages else FIRST_PAGE, first, len(page)))
                first += len(page)
            yield EntryGroup(category, tuple(pages))

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        found = self._groups[kind]
        return sorted(found, key=lambda one: (one.name == UNTOLD, -one.count, one.name))

    def count(self) -> int:
        """All entries."""
        return sum(group.count for group in self._groups["site"])


class _OfSite(NamedTuple):
    """An entry in the order of its site."""

    site: str
    sort: str
    ident: str
    number: int
    start: int
    words: int
    further: int
    about: int
    links: int
    counted: bytes
    steps: int
    steps_size: int
    site_is_sound: int
    category_is_sound: int


class _OfCategory(NamedTuple):
    """An entry in the order of a category, and where it lies among those of sites."""

    category: str
    sort: str
    ident: str
    anchor: str
    start: int
    size: int


def _anchor(row: _OfSite, again: Mapping[int, int]) -> str:
    nth = again.get(row.number)
    return f"e{row.ident}" if nth is None else f"e{row.ident}-{nth}"


def _placed(row: _OfSite, anchor: str, page: str) -> Placed:
    # What two rows are about has another anchor than the one that was searched.
    is_searched = anchor == f"e{row.ident}"
    return Placed(
        anchor,
        page,
        row.site,
        row.start,
        (row.words, row.further, row.about, row.links),
        row.counted,
        (row.steps, row.steps_size),
        is_searched and bool(row.site_is_sound),
        is_searched and bool(row.category_is_sound),
    )


class _Added(NamedTuple):
    """An entry that is added: `came` is the row of its shortcut, `start` where its pieces begin."""

    number: int
    came: int
    entry: MadeEntry
    start: int
    steps: tuple[int, int]


def shortcut_behind(database: sqlite3.Connection, icloud_id: str) -> FoundShortcut | None:
    """The shortcut that a listing leads to."""
    found = database.execute(_FOUND, (icloud_id,)).fetchone()
    if found is None:
        return None
    number, digest, made, steps, size, counted = found
    told = msgspec.msgpack.decode(made, type=Made)
    return FoundShortcut(number, digest, told, (steps, size), counted)


def digest_behind(database: sqlite3.Connection, icloud_id: str) -> bytes | None:
    """What tells all that a listing takes of its shortcut."""
    found = database.execute(_DIGEST, (icloud_id,)).fetchone()
    return None if found is None else found[0]


def opened_order(path: Path) -> sqlite3.Connection:
    """A file to find shortcuts in."""
    # Nobody writes to it any more, and a shared file system may have no locks.
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)
