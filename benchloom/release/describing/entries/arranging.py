"""The order of entries, by a database file beside the pages: memory does not grow."""

import sqlite3
import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from benchloom.errors import RunError
from benchloom.release.describing.entries.packed import MadeEntry, MadeListing, MadeShortcut
from benchloom.release.describing.entries.pieces import EntryPieces, PieceFile
from benchloom.release.describing.entries.records import Made
from benchloom.words import UNTOLD

_ENTRIES, _ORDER = "entries", "order"
_AT_ONCE = 1000
_ENCODER = msgspec.msgpack.Encoder()
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
CREATE TABLE ranked (entry INTEGER PRIMARY KEY, start INTEGER, size INTEGER);
"""
_INSERTED = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


_AGAIN = """
SELECT number, row_number() OVER (PARTITION BY ident ORDER BY number) FROM entry
    WHERE ident IN (SELECT ident FROM entry GROUP BY ident HAVING count(*) > 1)
"""
_BY_SITE = """
SELECT number, ident, site, start, words, further, about, links, count, steps, steps_size,
    site_is_sound, category_is_sound FROM entry ORDER BY site, sort, number
"""
_BY_CATEGORY = """
SELECT name, ranked.start, size FROM category JOIN entry ON entry.number = category.entry
    JOIN ranked ON ranked.entry = category.entry ORDER BY name, sort, category.entry
"""
_PLACE = struct.Struct("<QI")
"""Where an entry lies among all of them, and how long it is."""
_FOUND = """
SELECT number, digest, made, steps, steps_size, count FROM icloud JOIN shortcut USING (number)
    WHERE icloud_id = ? ORDER BY number LIMIT 1
"""


class Placed(msgspec.Struct, frozen=True, array_like=True):
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
        return self._cut(file.read(self.start, sum(self.sizes)))

    def with_steps(self, file: PieceFile) -> tuple[EntryPieces, bytes]:
        """Its pieces and its steps, which mostly lie behind them."""
        size = sum(self.sizes)
        start, length = self.steps
        if start != self.start + size:
            return self.pieces(file), file.read(start, length)
        found = file.read(self.start, size + length)
        return self._cut(found[:size]), found[size:]

    def _cut(self, found: bytes) -> EntryPieces:
        words, further, about, _ = self.sizes
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
        entries: list[_Entry] = []
        places: list[int] = []
        for one in records:
            steps = begin + (0 if one.entry is None else sum(one.entry.sizes))
            places.append(steps)
            if one.entry is not None:
                entries.append((_OWN + first + one.row, one.entry, begin, (steps, one.steps_size)))
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

    def arrange(self, folder: Path) -> None:
        """Write all that was added in its order, for `placed_entries`."""
        self._database.executescript(_PLACES)
        with (folder / _ENTRIES).open("wb") as entries, (folder / _ORDER).open("wb") as order:
            self._groups["site"] = _grouped(self._write_entries(entries), order, 0)
            first = sum(group.count for group in self._groups["site"])
            places = self._database.execute(_BY_CATEGORY)
            self._groups["category"] = _grouped(places, order, first)

    def _write_entries(self, file: BinaryIO) -> Iterator[tuple[str, int, int]]:
        """Write all entries by their sites; the site of each, and where it lies."""
        again = {number: nth for number, nth in self._database.execute(_AGAIN) if nth > 1}
        before, position, start = None, 0, 0
        found = self._database.execute(_BY_SITE)
        while rows := found.fetchmany(_AT_ONCE):
            ranked: list[tuple[int, int, int]] = []
            for number, ident, site, begin, *rest in rows:
                position = position + 1 if site == before else 0
                before = site
                nth = again.get(number)
                words, further, about, links, counted, steps, size, *sound = rest
                placed = Placed(
                    f"e{ident}" if nth is None else f"e{ident}-{nth}",
                    position,
                    site,
                    begin,
                    (words, further, about, links),
                    counted,
                    (steps, size),
                    # What two rows are about has another anchor than the one that was searched.
                    nth is None and bool(sound[0]),
                    nth is None and bool(sound[1]),
                )
                content = _ENCODER.encode(placed)
                file.write(content)
                ranked.append((number, start, len(content)))
                yield site, start, len(content)
                start += len(content)
            self._database.executemany("INSERT INTO ranked VALUES (?, ?, ?)", ranked)

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        found = self._groups[kind]
        return sorted(found, key=lambda one: (one.name == UNTOLD, -one.count, one.name))

    def count(self) -> int:
        """All entries."""
        return sum(group.count for group in self._groups["site"])


def _grouped(
    places: Iterable[tuple[str, int, int]], order: BinaryIO, first: int
) -> list[EntryGroup]:
    """Write where entries lie, in their order; the groups of those with the same name."""
    groups: list[EntryGroup] = []
    for name, found in groupby(places, key=lambda place: place[0]):
        count = 0
        for _, start, size in found:
            order.write(_PLACE.pack(start, size))
            count += 1
        groups.append(EntryGroup(name, count, first))
        first += count
    return groups


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


def placed_entries(folder: Path, first: int, count: int) -> Iterator[Placed]:
    """So many entries from a number on, out of a folder in which they are arranged.

    Raises:
        RunError: they cannot be read.
    """
    decoder = msgspec.msgpack.Decoder(Placed)
    try:
        with (folder / _ORDER).open("rb") as order, PieceFile(folder / _ENTRIES) as entries:
            while count > 0:
                order.seek(first * _PLACE.size)
                size = min(count, _AT_ONCE) * _PLACE.size
                places = order.read(size)
                if len(places) != size:
                    raise RunError(f"{folder}: changed since the run wrote it; run again")
                for content in _contents(entries, list(_PLACE.iter_unpack(places))):
                    yield decoder.decode(content)
                first, count = first + _AT_ONCE, count - _AT_ONCE
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"{folder}: {error}; run again") from error


def _contents(file: PieceFile, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """What stands at some places; where one lies behind the other, as those of a site, at once."""
    begin, end = places[0][0], sum(places[-1])
    if end - begin != sum(size for _, size in places):
        yield from (file.read(start, size) for start, size in places)
        return
    content = file.read(begin, end - begin)
    yield from (content[start - begin : start - begin + size] for start, size in places)
