"""Rows that an earlier run made of the same things: they are taken over as they are in its files.

The memory tells by the digest of all that a row is made from in which shard of an earlier stage it
is. A shard counts when it is what was written; what is damaged or cleaned away is made again.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.errors import RunError
from benchloom.memory import Memory, digest, memory
from benchloom.stages import part_path, read_shard_mark
from benchloom.tables import OpenPart, TakenRow
from benchloom.tables.digests import row_digests

_OPEN_SHARDS = 4
"""Earlier shards that are open together, a row group of each: rows come in about the same order."""


class _Place(msgspec.Struct, frozen=True, array_like=True):
    """A row: the folder of its stage below the workspace, its shard, its number in that."""

    folder: str
    shard: int
    row: int


_DECODER = msgspec.msgpack.Decoder(_Place)
_ENCODER = msgspec.msgpack.Encoder()


class EarlierRows:
    """Rows of earlier runs in some tables, and the keys of the rows of one shard of this run.

    Args:
        out: the folder of the stage; None, or one outside of a workspace, has no earlier rows.
        tables: every row has its number in each of them.
        decides: code and options that decide a row besides what it is made from.
    """

    def __init__(
        self, out: Path | None = None, tables: Sequence[str] = (), decides: str = ""
    ) -> None:
        self._memory: Memory | None = None if out is None else memory()
        self._out = out
        self._tables = tables
        self._decides = decides.encode()
        self._keys: list[bytes] = []
        self._open: dict[tuple[str, int], tuple[OpenPart, ...] | None] = {}

    def find(self, *made_from: bytes) -> tuple[TakenRow, ...] | None:
        """The next row of the shard in each of the tables, by all that it is made from.

        None where it has to be made.
        """
        return self.find_all([made_from])[0]

    def find_all(self, made_from: Sequence[tuple[bytes, ...]]) -> list[tuple[TakenRow, ...] | None]:
        """The same of the next rows of the shard, in order."""
        if self._memory is None:
            return [None] * len(made_from)
        keys = [digest(self._decides, *parts) for parts in made_from]
        self._keys += keys
        return [self._row(content) for content in self._memory.get_many(keys)]

    def _row(self, content: bytes | None) -> tuple[TakenRow, ...] | None:
        if content is None:
            return None
        try:
            place = _DECODER.decode(content)
            parts = self._parts(place.folder, place.shard)
            return None if parts is None else tuple(_taken(part, place.row) for part in parts)
        except (msgspec.MsgspecError, RunError, OSError, IndexError):
            return None

    def _parts(self, folder: str, shard: int) -> tuple[OpenPart, ...] | None:
        if (folder, shard) not in self._open:
            while len(self._open) >= _OPEN_SHARDS:
                self._close(next(iter(self._open)))
            self._open[folder, shard] = self._sound_parts(folder, shard)
        return self._open[folder, shard]

    def _sound_parts(self, folder: str, shard: int) -> tuple[OpenPart, ...] | None:
        """The tables of a shard that is what was written."""
        if self._memory is None:
            return None
        place = self._memory.folder.parent / folder
        try:
            if read_shard_mark(place, shard) is None:
                return None
            return tuple(OpenPart(part_path(place, table, shard), table) for table in self._tables)
        except (RunError, OSError):
            return None

    def drop(self) -> None:
        """The row that was asked for last is none: its object was rejected."""
        if self._memory is not None:
            self._keys.pop()

    def remember(self, number: int) -> None:
        """Remember where the rows are that were asked for: all of the shard of this number."""
        if self._memory is None or self._out is None:
            return
        folder = self._out.relative_to(self._memory.folder.parent).as_posix()
        for row, key in enumerate(self._keys):
            self._memory.put(key, _ENCODER.encode(_Place(folder, number, row)))

    def _close(self, place: tuple[str, int]) -> None:
        for part in self._open.pop(place) or ():
            part.close()

    def close(self) -> None:
        """Close the files of earlier runs."""
        for place in list(self._open):
            self._close(place)


def _taken(part: OpenPart, row: int) -> TakenRow:
    group = part.group_of(row)
    return TakenRow(part.rows(group), row - part.starts[group])


@contextmanager
def earlier_rows(
    out: Path, decides: str, number: int, tables: Sequence[str]
) -> Iterator[EarlierRows]:
    """The rows of earlier runs for a shard of the stage in `out`, whose rows are remembered."""
    with closing(EarlierRows(out, tables, decides)) as rows:
        yield rows
        rows.remember(number)


def shortcut_keys(rows: pa.RecordBatch) -> list[bytes]:
    """The digest of each shortcut by its columns but `actions`.

    Actions follow from the file, whose digest is a column; to digest them takes ten times as long.
    """
    names = [name for name in rows.schema.names if name != "actions"]
    return row_digests(rows.select(names))
