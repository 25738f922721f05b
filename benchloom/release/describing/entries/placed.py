"""Entries in the order in which they were arranged, read by their places in it."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.release.describing.entries.pieces import EntryPieces, PieceFile

ENTRIES, ORDER = "entries", "order"
"""The files of a folder in which entries are arranged: themselves, and where each of them lies."""
PLACE = struct.Struct("<QI")
"""Where an entry lies among all of them, and how long it is."""
_AT_ONCE = 1000


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """An entry on a page: its anchor, the page of its site that it stands on, and its pieces.

    The anchor is of what the entry is about and not of its place: an entry that did not change is
    written as it was in the release before. `start` and `sizes` say where its pieces lie, `steps`
    where those are that it shows. What a search found sound stays so but for the name of a page,
    which is searched by itself.
    """

    anchor: str
    page: str
    site: str
    start: int
    sizes: tuple[int, int, int, int]
    counted: bytes
    steps: tuple[int, int]
    site_is_sound: bool
    category_is_sound: bool

    @property
    def ident(self) -> str:
        """What it is known by, a hexadecimal number."""
        return self.anchor[1:].partition("-")[0]

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


def placed_entries(folder: Path, first: int, count: int) -> Iterator[Placed]:
    """So many entries from a number on, out of a folder in which they are arranged.

    Raises:
        RunError: they cannot be read.
    """
    decoder = msgspec.msgpack.Decoder(Placed)
    try:
        with (folder / ORDER).open("rb") as order, PieceFile(folder / ENTRIES) as entries:
            while count > 0:
                order.seek(first * PLACE.size)
                size = min(count, _AT_ONCE) * PLACE.size
                places = order.read(size)
                if len(places) != size:
                    raise RunError(f"{folder}: changed since the run wrote it; run again")
                for content in _contents(entries, list(PLACE.iter_unpack(places))):
                    yield decoder.decode(content)
                first, count = first + _AT_ONCE, count - _AT_ONCE
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"{folder}: {error}; run again") from error


def _contents(file: PieceFile, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """What stands at some places; where they lie side by side, as those of a page, at once."""
    begin, end = min(start for start, _ in places), max(map(sum, places))
    if end - begin != sum(size for _, size in places):
        yield from (file.read(start, size) for start, size in places)
        return
    content = file.read(begin, end - begin)
    yield from (content[start - begin : start - begin + size] for start, size in places)
