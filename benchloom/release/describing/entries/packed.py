"""What is made of the rows of one file of a table: records of them, and their pieces behind these.

It is in a sealed file of a scratch folder.
"""

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from benchloom.release.describing.entries.pieces import EntryPieces
from benchloom.release.describing.entries.records import Entry, Made
from benchloom.workspace import read_sealed, write_sealed

R = TypeVar("R")
_SIZE_BYTES = 8


class MadeEntry(msgspec.Struct, frozen=True, array_like=True):
    """What the order of entries is made from, the sizes of its pieces, and where it is sound."""

    ident: str
    sort: str
    site: str
    categories: tuple[str, ...]
    sizes: tuple[int, int, int, int]
    count: bytes
    site_is_sound: bool
    category_is_sound: bool


class MadeShortcut(msgspec.Struct, frozen=True, array_like=True):
    """A shortcut that may be shown: the number of its row, and what listings need of it.

    In the pieces stand those of its own entry, then its steps. `told` is the digest of what it was
    made from, `digest` tells what an entry takes of it.
    """

    row: int
    told: bytes
    icloud_ids: tuple[str, ...]
    made: Made
    digest: bytes
    steps_size: int
    count: bytes
    entry: MadeEntry | None

    @property
    def size(self) -> int:
        """How many bytes its pieces are."""
        return self.steps_size + (0 if self.entry is None else sum(self.entry.sizes))


class MadeListing(msgspec.Struct, frozen=True, array_like=True):
    """A listing: what leads to its shortcut, the digest of what it took of that, and its entry.

    `told` is the digest of all else that it was made from.
    """

    told: bytes
    icloud_id: str
    digest: bytes | None
    entry: MadeEntry | None


class Packed(msgspec.Struct, Generic[R], frozen=True, array_like=True):
    """Records in the order of their rows."""

    records: list[R]


class Packing:
    """Pieces that are put one behind the other."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def add(self, entry: Entry, pieces: EntryPieces, sound: tuple[bool, bool]) -> MadeEntry:
        """Add the pieces of an entry; what is to be known of it."""
        found = (pieces.index_start, pieces.index_end, pieces.about, pieces.links)
        self.pieces += found
        return MadeEntry(
            entry.ident,
            entry.sort,
            entry.site,
            entry.categories,
            (len(found[0]), len(found[1]), len(found[2]), len(found[3])),
            pieces.count,
            *sound,
        )

    def write(self, path: Path, packed: Packed[R]) -> None:
        """Write the records and the pieces.

        Raises:
            OSError: they cannot be written.
        """
        records = msgspec.msgpack.encode(packed)
        size = len(records).to_bytes(_SIZE_BYTES, "big")
        write_sealed(path, b"".join((size, records, *self.pieces)))


def read_packed(path: Path, kind: type[Packed[R]]) -> tuple[Packed[R], bytes] | None:
    """Records and pieces of a file; None where it is not what was written."""
    content = read_sealed(path)
    if content is None:
        return None
    end = _SIZE_BYTES + int.from_bytes(content[:_SIZE_BYTES], "big")
    try:
        return msgspec.msgpack.decode(content[_SIZE_BYTES:end], type=kind), content[end:]
    except msgspec.MsgspecError:
        return None
