"""This module reads the index of an archive, which lists the records by their byte position.

When a run closes its archive, it writes the index to a file. If an archive has no index file, the
archive itself is scanned.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np

from benchloom.core.errors import RunError
from benchloom.core.records import Capture
from benchloom.storage.tables import OpenPart, read_rows
from benchloom.storage.web_archive import iter_records
from benchloom.storage.web_archive.archive_records import Damage
from scrapers.captures.layout import archives_in, index_path

_AT_ONCE = 1024


class ArchiveIndex:
    """The index of an archive of stored responses; iterating yields the captures in order.

    `damages` are the damaged parts of the archive; they are known only if it was scanned.
    """

    def __init__(self, folder: Path, warc: str) -> None:
        self._path, self._warc = index_path(folder / warc), warc
        self.damages: tuple[Damage, ...] = ()
        self._part: OpenPart | None = None
        self._captures: list[Capture] = []
        if self._path.is_file():
            with self._naming_damage():
                self._part = OpenPart(self._path)
                offsets = read_rows(self._path, ["offset"]).column("offset").to_pylist()
                self._offsets = np.array(msgspec.convert(offsets, list[int]), np.int64)
                if (np.diff(self._offsets) <= 0).any():
                    raise RunError("its records are not in the archive's order")
        else:
            self._captures, self.damages = _scan(folder / warc, warc)
            self._offsets = np.array([capture.offset for capture in self._captures], np.int64)

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[Capture]:
        return self._rows(0, len(self))

    def between(self, start: int, stop: int) -> Iterator[Capture]:
        """Yield the captures whose first byte is at `start` or later, and before `stop`."""
        first, last = np.searchsorted(self._offsets, (start, stop))
        return self._rows(int(first), int(last))

    def _rows(self, first: int, last: int) -> Iterator[Capture]:
        if self._part is None:
            yield from self._captures[first:last]
            return
        while first < last:
            group = self._part.group_of(first)
            start, end = self._part.starts[group : group + 2]
            stop = min(last, end, first + _AT_ONCE)
            with self._naming_damage():
                rows = self._part.rows(group).slice(first - start, stop - first).to_pylist()
                captures = msgspec.convert(rows, list[Capture])
            yield from captures
            first = stop

    @contextmanager
    def _naming_damage(self) -> Iterator[None]:
        try:
            yield
        except (RunError, OverflowError, msgspec.ValidationError) as error:
            fault = str(error).removeprefix(f"{self._path}: ")
            raise RunError(
                f"{self._path} is damaged ({fault}); remove this index, and the next run builds "
                f"it again from {self._warc}"
            ) from error


def captures_in(folder: Path) -> Iterator[Capture]:
    """Yield the captures in all archives of a captures folder, one archive after the other."""
    for warc, problem in archives_in(folder):
        if problem is None:
            yield from ArchiveIndex(folder, warc)


def _scan(archive: Path, warc: str) -> tuple[list[Capture], tuple[Damage, ...]]:
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
    # A killed run, or a run that is still writing, leaves damage at the end.
    return captures, tuple(damages)
