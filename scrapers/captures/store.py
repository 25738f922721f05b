"""Everything captured so far, found by URL and read back with its digest checked."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from benchloom.errors import RejectedInputError, RunError
from benchloom.identity import tagged_digest
from benchloom.records import Capture
from benchloom.tables.reading import read_rows
from benchloom.web_archive import iter_records, read_record
from benchloom.web_archive.scanning import Damage
from scrapers.captures.layout import archives_in, index_path

_AT_ONCE = 4096
_IN_COMMON = ("site", "kind", "fetched_at", "warc", "refers_to", "fault")
_COLUMNS = list(Capture.__struct_fields__)


class ArchiveIndex(msgspec.Struct, frozen=True):
    """The records of an archive in their order, and the damages between them if it was scanned."""

    captures: tuple[Capture, ...]
    damages: tuple[Damage, ...] = ()


def index_of(folder: Path, warc: str) -> ArchiveIndex:
    """The index of an archive of a captures folder, made from the archive where there is none.

    Raises:
        RunError: the index is not what was written; the message says what to do.
    """
    index = index_path(folder / warc)
    if not index.is_file():
        return _scanned(folder / warc, warc)
    try:
        return ArchiveIndex(tuple(sorted(_captures_in(index), key=lambda c: c.offset)))
    except (RunError, msgspec.ValidationError) as error:
        fault = str(error).removeprefix(f"{index}: ")
        raise RunError(f"{index}: {fault}; remove it: it is made again of {warc}") from error


def _scanned(archive: Path, warc: str) -> ArchiveIndex:
    captures: list[Capture] = []
    damages: list[Damage] = []
    tail: Damage | None = None
    for record in iter_records(archive, warc):
        if tail is not None:
            damages.append(tail)
            tail = None
        if isinstance(record, Damage):
            tail = record
        else:
            captures.append(record.capture)
    # Damage at the end is what a run that was killed, or is still writing, leaves there.
    return ArchiveIndex(tuple(captures), tuple(damages))


def _captures_in(index: Path) -> Iterator[Capture]:
    """The rows of an index; what many captures have in common is held once."""
    known: dict[object, object] = {}
    for batch in read_rows(index, _COLUMNS).to_batches(_AT_ONCE):
        for row in batch.to_pylist():
            capture = msgspec.convert(row, Capture)
            headers = tuple(known.setdefault(one, one) for one in capture.headers)
            told = {name: known.setdefault(row[name], row[name]) for name in _IN_COMMON}
            yield msgspec.structs.replace(
                capture, headers=known.setdefault(headers, headers), **told
            )


class _Pages(NamedTuple):
    """The newest answers of a site's URLs by archive and place, and the others, newest first."""

    latest: list[Capture]
    earlier: list[Capture]


class CaptureStore:
    """The index of a captures folder; archives without an index are scanned.

    `sites` limits what is loaded to the folders of these sites. `damages` are stretches between the
    records of scanned archives that gave none, by archive.
    """

    def __init__(self, folder: Path, sites: tuple[str, ...] | None = None) -> None:
        self.folder = folder
        self._latest: dict[tuple[str, bool], Capture] = {}
        self._by_id: dict[str, Capture] = {}
        self._seen: dict[str, Capture] = {}
        self._captures: list[Capture] = []
        self._by_site: dict[str, _Pages] | None = None
        self._files: dict[str, IO[bytes]] = {}
        self._guard = threading.Lock()
        self.damages: list[tuple[str, Damage]] = []
        for warc, problem in archives_in(folder, sites):
            if problem is not None:
                self.damages.append((warc, Damage(0, 0, problem)))
                continue
            index = index_of(folder, warc)
            for capture in index.captures:
                self.add(capture)
            self.damages += [(warc, damage) for damage in index.damages]

    def add(self, capture: Capture) -> None:
        """Take in a capture; later ones of a URL stand before earlier ones."""
        self._by_site = None
        self._captures.append(capture)
        self._seen[capture.url] = capture
        if capture.kind in {"response", "rendered"}:
            self._latest[capture.url, capture.kind == "rendered"] = capture
            self._by_id[capture.capture_id] = capture
        elif capture.kind == "revisit" and capture.refers_to in self._by_id:
            base = self._by_id[capture.refers_to]
            self._latest[capture.url, base.kind == "rendered"] = base

    def latest(self, url: str, *, rendered: bool = False) -> Capture | None:
        """The newest answer of a URL; a revisit gives the answer it confirmed."""
        return self._latest.get((url, rendered))

    def last_seen(self, url: str) -> Capture | None:
        """The newest record of a URL, of any kind."""
        return self._seen.get(url)

    def by_id(self, capture_id: str) -> Capture | None:
        """The newest answer with this id."""
        return self._by_id.get(capture_id)

    def captures(self) -> list[Capture]:
        """Every record, by archive and place in it."""
        return sorted(self._captures, key=lambda c: (c.warc, c.offset))

    def latest_pages(self, site: str) -> list[Capture]:
        """The newest answer of every URL of a site, by archive and place in it."""
        return self._pages(site).latest

    def earlier_pages(self, site: str) -> list[Capture]:
        """Answers that a newer one of the same URL has replaced, newest first."""
        return self._pages(site).earlier

    def _pages(self, site: str) -> _Pages:
        """The answers of a site: all are sorted once, not for each of many sites."""
        if self._by_site is None:
            self._by_site = {}
            newest = {id(c) for c in self._latest.values()}
            for capture in self.captures():
                if capture.kind in {"response", "rendered"}:
                    pages = self._by_site.setdefault(capture.site, _Pages([], []))
                    (pages.latest if id(capture) in newest else pages.earlier).append(capture)
            for pages in self._by_site.values():
                pages.earlier.reverse()
        return self._by_site.get(site, _Pages([], []))

    def body(self, capture: Capture) -> bytes:
        """The decoded body of a capture.

        Raises:
            RunError: the archive no longer holds what the index says; the message names both.
        """
        with self._guard:
            try:
                file = self._files.get(capture.warc)
                if file is None:
                    file = self._files[capture.warc] = (self.folder / capture.warc).open("rb")
            except OSError as error:
                raise _damaged(self.folder, capture, str(error)) from error
            return body_of(self.folder, capture, file)

    def close(self) -> None:
        """Close every archive."""
        for file in self._files.values():
            file.close()
        self._files.clear()


def body_of(folder: Path, capture: Capture, file: IO[bytes]) -> bytes:
    """The decoded body of a capture in an open archive of a captures folder.

    Raises:
        RunError: the archive no longer holds what the index says; the message names both.
    """
    try:
        stored = read_record(file, capture.warc, capture.offset)
    except (RejectedInputError, OSError) as error:
        raise _damaged(folder, capture, str(error)) from error
    if tagged_digest("body", stored.body) != capture.body_digest:
        raise _damaged(folder, capture, "the body is not the one captured")
    return stored.body


def _damaged(folder: Path, capture: Capture, fault: str) -> RunError:
    index = index_path(folder / capture.warc).relative_to(folder)
    return RunError(
        f"{capture.warc} at byte {capture.offset}: {fault}; put the archive's copy back, or "
        f"remove {index}: the archive is then read anew, and what is damaged is rejected"
    )
