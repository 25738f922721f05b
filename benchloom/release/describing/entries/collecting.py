"""All entries of a release: made by whoever may help, then put in order."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, Self, TypeVar

from benchloom.errors import RunError
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.spreading import HERE, Spread
from benchloom.release.describing.entries.arranging import (
    EntryOrder,
    digest_behind,
    opened_order,
    shortcut_behind,
)
from benchloom.release.describing.entries.making import (
    LISTINGS,
    SHORTCUTS,
    Known,
    make_listings,
    make_shortcuts,
)
from benchloom.release.describing.entries.packed import (
    MadeListing,
    MadeShortcut,
    Packed,
    read_packed,
)
from benchloom.release.describing.entries.paging import EntryGroup
from benchloom.release.describing.entries.pieces import PieceFile
from benchloom.release.describing.entries.records import app_names
from benchloom.release.describing.tables import ReleaseTables, TableFile
from benchloom.under_way import counted

R = TypeVar("R")


class _Kit(NamedTuple):
    """What entries are made with: names of apps, the file with their order, and their pieces."""

    names: dict[str, str]
    order: Path
    pieces: Path
    is_searched: bool
    has_listings: bool


class _Source(NamedTuple):
    """A file of a table, and where what is made of it lies."""

    file: TableFile
    place: Path


class _Making(Protocol):
    """Makes what is shown of one file."""

    def __call__(self, kit: _Kit, source: _Source, /) -> None: ...


class Entries:
    """The entries of a release in new files of a folder, page by page.

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
        self.folder = folder
        self.pieces = folder / "pieces"
        self._spread = spread
        self._redactor = redactor
        self._listings = [file for file in tables.table_files("listings") if file.rows]
        self._kit = _Kit(
            app_names(tables),
            folder / "order.sqlite",
            self.pieces,
            redactor is not None,
            bool(self._listings),
        )
        try:
            self._order = EntryOrder(self._kit.order, has_listings=self._kit.has_listings)
            try:
                self._fill(tables)
            except BaseException:  # also an interrupt must not leave it open; raised again
                self._order.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise RunError(f"{folder}: {error}; run again") from error

    def _fill(self, tables: ReleaseTables) -> None:
        with self.pieces.open("wb") as pieces:
            self._add_shortcuts(tables.table_files("shortcuts"), pieces)
            if self._listings:
                self._order.let_listings_find()
                self._add_listings(self._listings, pieces)
        self._order.arrange(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._order.close()

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        return self._order.groups(kind)

    def count(self) -> int:
        """All entries."""
        return self._order.count()

    def _source(self, file: TableFile, ending: str) -> _Source:
        return _Source(file, self.folder / (file.sha256 + ending))

    def _make(self, work: _Making, sources: Sequence[_Source]) -> None:
        """Make what is shown of some files, by whoever may help."""
        if self._redactor is None:
            made = self._spread.run(partial(work, self._kit), sources)
        else:
            made = self._spread.each(partial(_searching, work, self._kit), sources, self._redactor)
        for _ in counted(made, "release: entries of the catalogue", len(sources), "files"):
            pass

    def _add_shortcuts(self, files: Sequence[TableFile], pieces: BinaryIO) -> None:
        sources = [self._source(file, SHORTCUTS) for file in files]
        self._make(_make_shortcuts, sources)
        for source in sources:
            packed, content = _made(source, Packed[MadeShortcut])
            self._order.add_shortcuts(packed.records, source.file.rows, pieces.tell())
            pieces.write(content)
        pieces.flush()

    def _add_listings(self, files: Sequence[TableFile], pieces: BinaryIO) -> None:
        sources = [self._source(file, LISTINGS) for file in files]
        self._make(_make_listings, sources)
        for source in sources:
            packed, content = _made(source, Packed[MadeListing])
            self._order.add_listings(packed.records, pieces.tell())
            pieces.write(content)


def _made(source: _Source, kind: type[Packed[R]]) -> tuple[Packed[R], bytes]:
    """What was made of a file: records, and their pieces.

    Raises:
        RunError: it is not what was written.
    """
    found = read_packed(source.place, kind)
    if found is None:
        raise RunError(f"{source.place}: changed since it was written; run again")
    return found


def _searching(work: _Making, kit: _Kit, _: CellRedactor, source: _Source) -> None:
    work(kit, source)


def _make_shortcuts(kit: _Kit, source: _Source) -> None:
    make_shortcuts(
        source.file,
        source.place,
        kit.names,
        is_searched=kit.is_searched,
        has_listings=kit.has_listings,
    )


def _make_listings(kit: _Kit, source: _Source) -> None:
    with closing(opened_order(kit.order)) as database, PieceFile(kit.pieces) as pieces:
        make_listings(
            source.file,
            source.place,
            _Behind(database, pieces),
            is_searched=kit.is_searched,
        )


class _Behind:
    """The shortcuts behind listings, in the order of entries and their pieces."""

    def __init__(self, database: sqlite3.Connection, pieces: PieceFile) -> None:
        self._database = database
        self._pieces = pieces

    def digest(self, icloud_id: str, /) -> bytes | None:
        """What tells all that a listing takes of its shortcut."""
        return digest_behind(self._database, icloud_id)

    def known(self, icloud_id: str, /) -> Known | None:
        """What is known of the shortcut."""
        found = shortcut_behind(self._database, icloud_id)
        if found is None:
            return None
        return Known(found.digest, found.made, self._pieces.read(*found.steps), found.counted)
