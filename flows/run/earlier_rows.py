"""Reuse rows that an earlier run of a stage made from the same inputs: copy them unchanged.

The workspace memory contains two kinds of values: for each stage the list of its shards, and
for each shard the keys of its rows, 16 bytes each. So a process reads one value per shard,
however many rows the shards have. A shard is used only if its files are unchanged since they
were written.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchloom.core.errors import RunError
from benchloom.storage.memory import KEY_BYTES, digest, memory
from benchloom.storage.stages import ShardMark, part_path, read_mark_alone, read_shard_mark
from benchloom.storage.tables import OpenPart, TakenRow

_OPEN_SHARDS = 4
"""Earlier shards that are open together, with a row group each: rows come in about one order."""
_KEY = np.dtype([("first", ">u8"), ("second", ">u8")])


class _Shard(msgspec.Struct, frozen=True, array_like=True):
    """A shard: its stage's folder below the workspace, its number, its table file's digest."""

    folder: str
    number: int
    digest: str


class EarlierRows:
    """The rows of the last finished run of a stage, looked up by the keys of their inputs.

    Args:
        stage: the digest of what decides every row of the stage: its name and options.
        tables: the tables that have one row for each input, all in the same row order.
    """

    def __init__(self, stage: str, tables: Sequence[str]) -> None:
        self._stage = stage.encode()
        self._tables = tables
        self.keys: list[bytes] = []
        """Those of all things that were asked for and not dropped."""
        self._open: dict[int, tuple[OpenPart, ...] | None] = {}
        self._shards, self._known, self._places = _previous_rows(stage)

    def find_all(
        self, things: Sequence[tuple[bytes | str, ...]]
    ) -> list[tuple[TakenRow, ...] | None]:
        """Return each input's earlier rows, one per table, or None if they must be made.

        Args:
            things: for each input, everything that its row is made from, besides the options of
                the stage.
        """
        keys = [digest(self._stage, *parts) for parts in things]
        self.keys += keys
        if not len(self._known):
            return [None] * len(keys)
        requested_keys = np.frombuffer(b"".join(keys), _KEY)
        first, second = self._known["first"], self._known["second"]
        at = np.searchsorted(first, requested_keys["first"].astype(np.uint64))
        at = np.minimum(at, len(first) - 1)
        is_known = (first[at] == requested_keys["first"]) & (second[at] == requested_keys["second"])
        places = self._places[at].tolist()
        return [
            self._row(*position) if is_present else None
            for position, is_present in zip(places, is_known.tolist(), strict=True)
        ]

    def drop(self) -> None:
        """Remove the key of the last lookup, because its input has no row."""
        self.keys.pop()

    def _row(self, shard: int, row: int) -> tuple[TakenRow, ...] | None:
        try:
            parts = self._parts(shard)
            return None if parts is None else tuple(_taken(part, row) for part in parts)
        except (RunError, OSError, IndexError):
            return None

    def _parts(self, shard: int) -> tuple[OpenPart, ...] | None:
        if shard not in self._open:
            while len(self._open) >= _OPEN_SHARDS:
                self._close(next(iter(self._open)))
            self._open[shard] = self._sound_parts(self._shards[shard])
        return self._open[shard]

    def _sound_parts(self, shard: _Shard) -> tuple[OpenPart, ...] | None:
        """Open the tables of a shard; None if its files changed since they were written."""
        remembered = memory()
        if remembered is None:
            return None
        folder = remembered.folder.parent / shard.folder
        try:
            if read_shard_mark(folder, shard.number) is None:
                return None
            paths = [part_path(folder, table, shard.number) for table in self._tables]
            return tuple(
                OpenPart(path, table) for path, table in zip(paths, self._tables, strict=True)
            )
        except (RunError, OSError):
            return None

    def _close(self, shard: int) -> None:
        for part in self._open.pop(shard) or ():
            part.close()

    def close(self) -> None:
        """Close the files of earlier runs."""
        for shard in list(self._open):
            self._close(shard)


@contextmanager
def earlier_rows(stage: str, tables: Sequence[str]) -> Iterator[EarlierRows]:
    """Open the rows of the last run of a stage; their files are closed when the block ends."""
    with closing(EarlierRows(stage, tables)) as rows:
        yield rows


def remember_keys(mark: ShardMark, folder: Path, table: str, keys: Sequence[bytes]) -> None:
    """Store the row keys of a shard that was just made in the workspace memory.

    The keys are stored under the digest of the shard's file of `table`, the first table of the
    stage.
    """
    remembered = memory()
    part = _part_digest(mark, folder, table)
    if remembered is not None and part is not None:
        remembered.put(_rows_key(part), b"".join(keys))


def remember_rows(stage: str, folder: Path, count: int, table: str) -> None:
    """Store the list of a stage's finished shards, whose rows the next run can reuse."""
    remembered = memory()
    if remembered is None:
        return
    name = folder.relative_to(remembered.folder.parent).as_posix()
    shards = []
    for number in range(count):
        mark = read_mark_alone(folder, number)
        part = None if mark is None else _part_digest(mark, folder, table)
        if part is not None:
            shards.append(_Shard(name, number, part))
    remembered.put(_shards_key(stage), msgspec.msgpack.encode(shards))


def _part_digest(mark: ShardMark, folder: Path, table: str) -> str | None:
    """Return the digest of a table's file as recorded in the mark of the shard."""
    name = part_path(folder, table, mark.number).relative_to(folder).as_posix()
    return next((file.sha256 for file in mark.files if file.path == name), None)


def _previous_rows(stage: str) -> tuple[list[_Shard], NDArray[np.void], NDArray[np.int64]]:
    """The last run's shards, the sorted keys of their rows, and each key's shard and row."""
    shards: list[_Shard] = []
    blocks: list[NDArray[np.void]] = []
    places: list[NDArray[np.int64]] = []
    remembered = memory()
    content = None if remembered is None else remembered.get(_shards_key(stage))
    if remembered is not None and content is not None:
        with suppress(msgspec.MsgspecError):
            shards = msgspec.msgpack.decode(content, type=list[_Shard])
        keys = remembered.get_many([_rows_key(shard.digest) for shard in shards])
        for number, block in enumerate(keys):
            if block and len(block) % KEY_BYTES == 0:
                blocks.append(np.frombuffer(block, _KEY))
                rows = np.arange(len(blocks[-1]))
                places.append(np.column_stack((np.full(len(rows), number), rows)))
    if not blocks:
        return shards, np.empty(0, _KEY), np.empty((0, 2), np.int64)
    row_keys = np.concatenate(blocks).astype([("first", np.uint64), ("second", np.uint64)])
    order = np.argsort(row_keys, order=("first", "second"))
    return shards, row_keys[order], np.concatenate(places)[order]


def _shards_key(stage: str) -> bytes:
    return digest("shards of", stage)


def _rows_key(part: str) -> bytes:
    return digest("rows in", part)


def _taken(part: OpenPart, row: int) -> TakenRow:
    group = part.group_of(row)
    return TakenRow(part.rows(group), row - part.starts[group])
