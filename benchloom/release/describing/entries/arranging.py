"""The order of entries, in a database file beside the pages: memory does not grow."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.errors import RunError
from benchloom.release.describing.entries.packed import MadeEntry, MadeListing, MadeShortcut
from benchloom.release.describing.entries.pieces import EntryPieces, PieceFile
from benchloom.release.describing.entries.records import Made
from benchloom.words import UNTOLD

_OWN = 1_000_000_000_000
"""The first number of entries that shortcuts have of their own: behind all that are listed."""
_SCHEMA = """
CREATE TABLE shortcut (number INTEGER PRIMARY KEY, digest BLOB, made BLOB, steps INTEGER,
    steps_size INTEGER, count BLOB, listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE icloud (icloud_id TEXT, number INTEGER);
CREATE TABLE entry (number INTEGER PRIMARY KEY, sort TEXT, site TEXT, ident TEXT, start INTEGER,
    words INTEGER, further INTEGER, about INTEGER, links INTEGER, count BLOB, steps INTEGER,
    steps_size INTEGER, site_is_sound INTEGER, category_is_sound INTEGER);
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
CREATE TABLE shown (number INTEGER PRIMARY KEY, kind TEXT, name TEXT, entry INTEGER);
INSERT INTO shown (kind, name, entry) SELECT 'category', name, entry FROM category
    JOIN entry ON entry.number = category.entry ORDER BY name, sort, entry;
INSERT INTO shown (kind, name, entry) SELECT 'site', site, number FROM entry
    ORDER BY site, sort, number;
DROP TABLE category;
CREATE TABLE of_site (entry INTEGER PRIMARY KEY, position INTEGER NOT NULL, nth INTEGER NOT NULL);
INSERT INTO of_site SELECT number, row_number() OVER (PARTITION BY site ORDER BY sort, number) - 1,
    row_number() OVER (PARTITION BY ident ORDER BY number) FROM entry;
"""
_INSERTED = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


_FOUND = """
SELECT number, digest, made, steps, steps_size, count FROM icloud JOIN shortcut USING (number)
    WHERE icloud_id = ? ORDER BY number LIMIT 1
"""


class Placed(NamedTuple):
    """An entry on a page: its anchor, its place among those of its site, and its pieces.

    The anchor is of what the entry is about and not of its place: an entry that did not change is
    written as it was in the release before. `start` and `sizes` say where its pieces lie, `steps`
    where those are that it shows. What a search found sound stays so but for the number of a page;
    that of an anchor is not searched with it.
    """

    anchor: str
    position: int
    site: str
    start: int
    sizes: tuple[int, int, int, int]
    counted: bytes
    steps: tuple[int, int]
    site_is_sound: bool
    category_is_sound: bool

    def pieces(self, file: PieceFile) -> EntryPieces:
        """Its pieces but for its steps."""
        words, further, about, links = self.sizes
        found = file.read(self.start, words + further + about + links)
        at = words + further
        return EntryPieces(
            found[:words],
            found[words:at],
            found[at : at + about],
            found[at + about :],
            self.counted,
        )


class EntryGroup(msgspec.Struct, frozen=True):
    """A site or category with its number of entries; the first of them has the number `first`."""

    name: str
    count: int
    first: int


class FoundShortcut(NamedTuple):
    """A shortcut that a listing leads to; `steps` is their place, `counted` their number."""

    number: int
    digest: bytes
    made: Made
    steps: tuple[int, int]
    counted: bytes


class EntryOrder:
    """The order of entries while it is made, in a new file.

    What it raises of sqlite3 is for whoever makes it to tell.
    """

    def __init__(self, path: Path) -> None:
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
        shortcuts: list[tuple[object, ...]] = []
        entries: list[_Entry] = []
        for one in records:
            number = first + one.row
            steps = begin + (0 if one.entry is None else sum(one.entry.sizes))
            told = msgspec.msgpack.encode(one.made)
            shortcuts.append((number, one.digest, told, steps, one.steps_size, one.count))
            if one.entry is not None:
                entries.append((_OWN + number, one.entry, begin, (steps, one.steps_size)))
            begin = steps + one.steps_size
        self._database.executemany("INSERT INTO shortcut VALUES (?, ?, ?, ?, ?, ?, 0)", shortcuts)
        self._database.executemany(
            "INSERT INTO icloud VALUES (?, ?)",
            ((found, first + one.row) for one in records for found in one.icloud_ids),
        )
        self._insert(entries)

    def let_listings_find(self) -> None:
        """Let shortcuts be found by what listings know them by, by other processes too."""
        self._database.executescript(_INDEXES)
        self._database.commit()

    def add_listings(self, records: Iterable[MadeListing], begin: int) -> None:
        """Add the listings of a file; their pieces begin at a place."""
        entries: list[_Entry] = []
        for one in records:
            self._listings += 1
            found = None if one.digest is None else shortcut_behind(self._database, one.icloud_id)
            if found is None:
                continue
            self._database.execute(
                "UPDATE shortcut SET listed = 1 WHERE number = ?", (found.number,)
            )
            if one.entry is not None:
                entries.append((self._listings, one.entry, begin, found.steps))
                begin += sum(one.entry.sizes)
        self._insert(entries)

    def _insert(self, entries: "Sequence[_Entry]") -> None:
        self._database.executemany(
            _INSERTED,
            (
                (number, one.sort, one.site, one.ident, start, *one.sizes, one.count, *steps,
                 one.site_is_sound, one.category_is_sound)
                for number, one, start, steps in entries
            ),
        )  # fmt: skip
        self._database.executemany(
            "INSERT INTO category VALUES (?, ?)",
            ((name, number) for number, one, _, _ in entries for name in one.categories),
        )

    def arrange(self) -> None:
        """Put all that was added in order."""
        self._database.executescript(_PLACES)

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        query = "SELECT name, count(*), min(number) FROM shown WHERE kind = ? GROUP BY name"
        found = [EntryGroup(*row) for row in self._database.execute(query, (kind,))]
        return sorted(found, key=lambda one: (one.name == UNTOLD, -one.count, one.name))

    def count(self) -> int:
        """All entries."""
        return int(self._database.execute("SELECT count(*) FROM entry").fetchone()[0])


_Entry = tuple[int, MadeEntry, int, tuple[int, int]]
"""The number of an entry, what was made of it, where its pieces begin, and those of its steps."""


def shortcut_behind(database: sqlite3.Connection, icloud_id: str) -> FoundShortcut | None:
    """The shortcut that a listing leads to."""
    found = database.execute(_FOUND, (icloud_id,)).fetchone()
    if found is None:
        return None
    number, digest, made, steps, size, counted = found
    told = msgspec.msgpack.decode(made, type=Made)
    return FoundShortcut(number, digest, told, (steps, size), counted)


def opened_order(path: Path) -> sqlite3.Connection:
    """A file to find shortcuts in."""
    # Nobody writes to it any more, and a shared file system may have no locks.
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)


def placed_entries(path: Path, first: int, count: int) -> Iterator[Placed]:
    """So many entries from a number on, out of a file that is finished.

    Raises:
        RunError: the file cannot be read.
    """
    query = (
        "SELECT ident, nth, position, site, start, words, further, about, links, count, steps, "
        "steps_size, site_is_sound, category_is_sound FROM shown "
        "JOIN entry ON entry.number = shown.entry JOIN of_site USING (entry) "
        "WHERE shown.number >= ? AND shown.number < ? ORDER BY shown.number"
    )
    try:
        with closing(opened_order(path)) as database:
            for row in database.execute(query, (first, first + count)):
                ident, nth, position, site, start, *found = row
                # What two rows are about has another anchor than the one that was searched.
                anchor = f"e{ident}" if nth == 1 else f"e{ident}-{nth}"
                sound = (found[7], found[8]) if nth == 1 else (False, False)
                yield Placed(
                    anchor, position, site, start, tuple(found[:4]), found[4],
                    (found[5], found[6]), *map(bool, sound),
                )  # fmt: skip
    except sqlite3.Error as error:
        raise RunError(f"{path}: {error}; run again") from error
