"""The order of entries, in a database file beside the pages: memory does not grow."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import msgspec

from benchloom.errors import RunError
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.spreading import HERE, Spread
from benchloom.release.describing.entries.making import (
    LISTINGS,
    SHORTCUTS,
    Known,
    make_listings,
    make_shortcuts,
    placed,
    sound_shortcuts,
)
from benchloom.release.describing.entries.packed import (
    MadeEntry,
    MadeListing,
    MadeShortcut,
    Packed,
    read_packed,
)
from benchloom.release.describing.entries.pieces import EntryPieces, PieceFile
from benchloom.release.describing.entries.records import Made, app_names
from benchloom.release.describing.remembering import result_store
from benchloom.release.describing.tables import ReleaseTables, TableFile
from benchloom.words import UNTOLD

_OWN = 1 << 40
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
_PLACES = f"""
DELETE FROM entry WHERE number >= {_OWN}
    AND number - {_OWN} IN (SELECT number FROM shortcut WHERE listed);
DELETE FROM category WHERE entry >= {_OWN}
    AND entry - {_OWN} IN (SELECT number FROM shortcut WHERE listed);
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
_INSERTED = f"INSERT INTO entry VALUES ({', '.join('?' * 14)})"


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
    count: bytes
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
            self.count,
        )


class EntryGroup(msgspec.Struct, frozen=True):
    """A site or category with its number of entries; the first of them has the number `first`."""

    name: str
    count: int
    first: int


class _Kit(NamedTuple):
    """What entries are made with: names of apps, the file with their order, and their pieces."""

    names: dict[str, str]
    database: Path
    pieces: Path
    is_searched: bool


class Entries:
    """The entries of a release in new files of a folder, sites and categories by their names.

    With a redactor they are searched for secrets once they are made, each by itself.

    Raises:
        RunError: a file cannot be written.
    """

    def __init__(
        self,
        tables: ReleaseTables,
        folder: Path,
        spread: Spread = HERE,
        redactor: CellRedactor | None = None,
    ) -> None:
        self.path = folder / "entries.sqlite"
        self.pieces = folder / "pieces"
        self._folder = folder
        self._spread = spread
        self._redactor = redactor
        self._kit = _Kit(app_names(tables), self.path, self.pieces, redactor is not None)
        self._end = 0
        self._database = sqlite3.connect(self.path)
        try:
            self._fill(tables)
        except (sqlite3.Error, OSError) as error:
            self._database.close()
            raise RunError(f"{self.path}: {error}; run again") from error

    def _fill(self, tables: ReleaseTables) -> None:
        self._database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
        with self.pieces.open("wb") as pieces:
            self._add_shortcuts(tables.table_files("shortcuts"), pieces)
            listings = [file for file in tables.table_files("listings") if file.rows]
            if listings:
                self._database.executescript(_INDEXES)
                pieces.flush()
                self._add_listings(listings, pieces)
        self._database.executescript(_PLACES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        query = "SELECT name, count(*), min(number) FROM shown WHERE kind = ? GROUP BY name"
        found = [EntryGroup(*row) for row in self._database.execute(query, (kind,))]
        return sorted(found, key=lambda one: (one.name == UNTOLD, -one.count, one.name))

    def count(self) -> int:
        """All entries."""
        return int(self._database.execute("SELECT count(*) FROM entry").fetchone()[0])

    def _place(self, file: TableFile, ending: str) -> Path:
        """Where what was made of a file lies."""
        store = result_store()
        name = file.sha256 + ending
        return self._folder / name if store is None else store.place(name)

    def _made(self, work: "partial[None]", files: Sequence[tuple[TableFile, Path]]) -> None:
        if self._redactor is None:
            for _ in self._spread.run(partial(_without_redactor, work), files):
                pass
        else:
            for _ in self._spread.each(partial(_with_redactor, work), files, self._redactor):
                pass

    def _add_shortcuts(self, files: Sequence[TableFile], pieces: BinaryIO) -> None:
        places = [(file, self._place(file, SHORTCUTS)) for file in files]
        self._made(
            partial(_make_shortcuts, self._kit), [one for one in places if not one[1].is_file()]
        )
        start = 0
        for file, path in places:
            packed, content = self._shortcuts_of(file, path)
            pieces.write(content)
            records = packed.records
            where = list(placed(records, self._end))
            self._database.executemany(
                "INSERT INTO shortcut VALUES (?, ?, ?, ?, ?, ?, 0)",
                (
                    (start + one.row, one.digest, msgspec.msgpack.encode(one.made), steps,
                     one.steps_size, one.count)
                    for one, (_, steps) in zip(records, where, strict=True)
                ),
            )  # fmt: skip
            self._database.executemany(
                "INSERT INTO icloud VALUES (?, ?)",
                ((found, start + one.row) for one in records for found in one.icloud_ids),
            )
            self._insert(
                (_OWN + start + one.row, one.entry, begin, (steps, one.steps_size))
                for one, (begin, steps) in zip(records, where, strict=True)
                if one.entry is not None
            )
            self._end += len(content)
            start += file.rows

    def _shortcuts_of(self, file: TableFile, path: Path) -> tuple[Packed[MadeShortcut], bytes]:
        """What was made of a file; it is made here where it is not sound."""
        names, is_searched = self._kit.names, self._kit.is_searched
        found = sound_shortcuts(path, names, is_searched=is_searched)
        if found is None:
            make_shortcuts(file, path, names, is_searched=is_searched)
            found = sound_shortcuts(path, names, is_searched=is_searched)
        if found is None:
            raise RunError(f"{path}: changed since it was written; run again")
        return found

    def _add_listings(self, files: Sequence[TableFile], pieces: BinaryIO) -> None:
        self._database.commit()
        places = [(file, self._place(file, LISTINGS)) for file in files]
        self._made(partial(_make_listings, self._kit), places)
        number = 0
        for _, path in places:
            found = read_packed(path, Packed[MadeListing])
            if found is None:
                raise RunError(f"{path}: changed since it was written; run again")
            packed, content = found
            pieces.write(content)
            entries: list[tuple[int, MadeEntry, int, tuple[int, int]]] = []
            begin = self._end
            for one in packed.records:
                number += 1
                if one.digest is None:
                    continue
                shortcut, steps, size = self._database.execute(
                    "SELECT number, steps, steps_size FROM icloud JOIN shortcut USING (number) "
                    "WHERE icloud_id = ? ORDER BY number LIMIT 1",
                    (one.icloud_id,),
                ).fetchone()
                self._database.execute(
                    "UPDATE shortcut SET listed = 1 WHERE number = ?", (shortcut,)
                )
                if one.entry is not None:
                    entries.append((number, one.entry, begin, (steps, size)))
                    begin += sum(one.entry.sizes)
            self._insert(entries)
            self._end += len(content)

    def _insert(self, found: "Iterator[_Found] | Sequence[_Found]") -> None:
        entries = list(found)
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


_Found = tuple[int, MadeEntry, int, tuple[int, int]]
"""The number of an entry, what was made of it, where its pieces begin, and those of its steps."""


def _without_redactor(work: "partial[None]", one: tuple[TableFile, Path]) -> None:
    work(*one)


def _with_redactor(work: "partial[None]", _: CellRedactor, one: tuple[TableFile, Path]) -> None:
    work(*one)


def _make_shortcuts(kit: _Kit, file: TableFile, path: Path) -> None:
    make_shortcuts(file, path, kit.names, is_searched=kit.is_searched)


def _make_listings(kit: _Kit, file: TableFile, path: Path) -> None:
    with closing(_opened(kit.database)) as database, PieceFile(kit.pieces) as pieces:

        def known(icloud_id: str) -> Known | None:
            found = database.execute(
                "SELECT digest, made, steps, steps_size, count FROM icloud "
                "JOIN shortcut USING (number) WHERE icloud_id = ? ORDER BY number LIMIT 1",
                (icloud_id,),
            ).fetchone()
            if found is None:
                return None
            digest, made, start, size, count = found
            told = msgspec.msgpack.decode(made, type=Made)
            return Known(digest, told, pieces.read(start, size), count)

        make_listings(file, path, lru_cache(maxsize=1 << 14)(known), is_searched=kit.is_searched)


def _opened(path: Path) -> sqlite3.Connection:
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
        with closing(_opened(path)) as database:
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
