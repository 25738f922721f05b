"""Reuse files and rows that earlier runs in the same workspace made from the same contents.

A stage writes its tables in shards. If all inputs of a shard are unchanged, the files of the
earlier shard are hard-linked. Otherwise the rows whose inputs are unchanged are copied from earlier
shards. The cache contains three kinds of values: the folder of each shard, under the digest of
everything that the shard was made from; the list of shards of each stage; and for each shard the
keys of its rows, 16 bytes each. A shard is used only if its files are unchanged since they were
written. If `benchloom clean` removes the folder of an earlier run, linked files remain.
"""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchloom.core.errors import RunError
from benchloom.storage.memory import KEY_BYTES, digest, memory
from benchloom.storage.seals import changed_files, kind_of, renaming
from benchloom.storage.stages import (
    ShardMark,
    part_path,
    read_mark_alone,
    read_shard_mark,
    write_sealed_mark,
)
from benchloom.storage.tables import OpenPart, TakenRow
from benchloom.storage.workspace import TemporaryFile

_OPEN_SHARDS = 4
"""Maximum number of earlier shards that are open, each with a row group in memory. More are not
needed, because look-ups are nearly sorted."""
_KEY = np.dtype([("first", ">u8"), ("second", ">u8")])


class _Shard(msgspec.Struct, frozen=True, array_like=True):
    """Where a shard is stored: the folder of its stage, its number, and its record's digest `seal`.

    `rows` is the digest of the file from which later runs copy rows, or "" if there is none.
    """

    folder: str
    number: int
    seal: str
    rows: str = ""


def remember_shards(folder: Path, keys: Sequence[str], stage: str, table: str) -> None:
    """Store where the finished shards of a stage are, so that later runs can reuse them.

    Args:
        folder: the folder of the stage.
        keys: for each shard, the digest of everything it is made from, or "" if it is unknown.
        stage: the digest of the stage's name and options, which determine all its rows.
        table: the table from which later runs copy rows, or "" if there is none.
    """
    remembered = memory()
    if remembered is None:
        return
    name = folder.relative_to(remembered.workspace).as_posix()
    shards = []
    for number, key in enumerate(keys):
        mark = read_mark_alone(folder, number)
        if mark is None or mark.corrected:
            continue
        shard = _Shard(name, number, mark.seal, _rows_digest(mark, table))
        if key:
            remembered.put(digest("shard", key), msgspec.msgpack.encode(shard))
        if shard.rows:
            shards.append(shard)
    if table:
        remembered.put(digest("shards of", stage), msgspec.msgpack.encode(shards))


def remember_keys(mark: ShardMark, table: str, keys: Sequence[bytes]) -> None:
    """Store the keys of all rows of a new shard, under the digest of the shard's file."""
    remembered = memory()
    if remembered is not None and (rows := _rows_digest(mark, table)):
        remembered.put(digest("rows in", rows), b"".join(keys))


def _rows_digest(mark: ShardMark, table: str) -> str:
    return next((file.sha256 for file in mark.files if file.path.startswith(f"{table}/")), "")


def link_shards(folder: Path, keys: Sequence[str]) -> None:
    """Hard-link missing shards of a stage to shards that an earlier run made from the same inputs.

    A shard is a part of the stage's tables. Raises RunError if a shard in the folder was changed
    since it was written.
    """
    remembered = memory()
    if remembered is None or kind_of(folder) not in {None, "folder"}:
        return
    for number, key in enumerate(keys):
        if not key or read_shard_mark(folder, number) is not None:
            continue
        content = remembered.get(digest("shard", key))
        if content is not None:
            with suppress(msgspec.MsgspecError):
                shard = msgspec.msgpack.decode(content, type=_Shard)
                _link(remembered.workspace / shard.folder, shard, folder, number)


def _link(other: Path, shard: _Shard, folder: Path, number: int) -> None:
    """Link the files of a shard into `folder` as shard `number`, if they are unchanged."""
    mark = None
    with suppress(RunError):
        mark = read_shard_mark(other, shard.number)
    if mark is None or mark.seal != shard.seal:
        return
    files = []
    for file in mark.files:
        name = file.path.replace(f"{shard.number:05d}.", f"{number:05d}.")
        with renaming(other / file.path, folder / name):
            _link_file(other / file.path, folder / name)
        files.append(msgspec.structs.replace(file, path=name))
    linked = tuple(sorted(files, key=lambda file: file.path))
    if not any(changed_files(folder, linked)):
        write_sealed_mark(folder, msgspec.structs.replace(mark, number=number, files=linked))


def _link_file(source: Path, target: Path) -> None:
    temporary = TemporaryFile(target)
    target.unlink(missing_ok=True)
    try:
        # The content is already on the disk; writing the shard's mark also flushes the name.
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, temporary.path)
        temporary.commit()


class EarlierRows:
    """Finds rows of the last finished run of a stage, by the keys of the inputs they are made from.

    Args:
        stage: the digest of the stage's name and options, which determine all its rows.
        tables: the tables that have one row for each input, all in the same row order.

    Attributes:
        keys: the keys of all inputs that were looked up and not dropped.
    """

    def __init__(self, stage: str, tables: Sequence[str]) -> None:
        self._stage = stage.encode()
        self._tables = tables
        self.keys: list[bytes] = []
        self._open: dict[int, tuple[OpenPart, ...]] = {}
        self._shards, self._row_keys, self._positions = _previous_rows(stage)

    def find_all(
        self, inputs: Sequence[tuple[bytes | str, ...]]
    ) -> list[tuple[TakenRow, ...] | None]:
        """Return, for each input, the rows that an earlier run made from it, or None.

        There is one row per table.

        Args:
            inputs: for each input, everything that its row is made from, besides the options of
                the stage.
        """
        keys = [digest(self._stage, *parts) for parts in inputs]
        self.keys += keys
        if not len(self._row_keys):
            return [None] * len(keys)
        requested_keys = np.frombuffer(b"".join(keys), _KEY)
        first, second = self._row_keys["first"], self._row_keys["second"]
        at = np.searchsorted(first, requested_keys["first"].astype(np.uint64))
        at = np.minimum(at, len(first) - 1)
        matches = (first[at] == requested_keys["first"]) & (second[at] == requested_keys["second"])
        positions = self._positions[at].tolist()
        return [
            self._row(*position) if has_row else None
            for position, has_row in zip(positions, matches.tolist(), strict=True)
        ]

    def drop(self) -> None:
        """Remove the key of the last input from `keys`, because no row was made from this input."""
        self.keys.pop()

    def _row(self, shard: int, row: int) -> tuple[TakenRow, ...] | None:
        if shard not in self._open:
            while len(self._open) >= _OPEN_SHARDS:
                self._close(next(iter(self._open)))
            self._open[shard] = self._open_parts(self._shards[shard])
        with suppress(RunError, OSError, IndexError):
            return tuple(_row_of(part, row) for part in self._open[shard]) or None
        return None

    def _open_parts(self, shard: _Shard) -> tuple[OpenPart, ...]:
        """Open the files of a shard. Returns no files if one was changed since it was written."""
        remembered = memory()
        with suppress(RunError, OSError):
            folder = Path() if remembered is None else remembered.workspace / shard.folder
            if read_shard_mark(folder, shard.number) is not None:
                paths = [part_path(folder, table, shard.number) for table in self._tables]
                return tuple(map(OpenPart, paths, self._tables))
        return ()

    def _close(self, shard: int) -> None:
        for part in self._open.pop(shard):
            part.close()

    def close(self) -> None:
        """Close all files of earlier runs."""
        for shard in list(self._open):
            self._close(shard)


def _previous_rows(stage: str) -> tuple[list[_Shard], NDArray[np.void], NDArray[np.int64]]:
    """Return the last run's shards, the sorted keys of its rows, and each key's (shard, row)."""
    shards: list[_Shard] = []
    blocks: list[NDArray[np.void]] = []
    positions: list[NDArray[np.int64]] = []
    remembered = memory()
    content = None if remembered is None else remembered.get(digest("shards of", stage))
    if remembered is not None and content is not None:
        with suppress(msgspec.MsgspecError):
            shards = msgspec.msgpack.decode(content, type=list[_Shard])
        keys = remembered.get_many([digest("rows in", shard.rows) for shard in shards])
        for number, block in enumerate(keys):
            if block and len(block) % KEY_BYTES == 0:
                blocks.append(np.frombuffer(block, _KEY))
                rows = np.arange(len(blocks[-1]))
                positions.append(np.column_stack((np.full(len(rows), number), rows)))
    if not blocks:
        return shards, np.empty(0, _KEY), np.empty((0, 2), np.int64)
    row_keys = np.concatenate(blocks).astype([("first", np.uint64), ("second", np.uint64)])
    order = np.argsort(row_keys, order=("first", "second"))
    return shards, row_keys[order], np.concatenate(positions)[order]


def _row_of(part: OpenPart, row: int) -> TakenRow:
    group = part.group_of(row)
    return TakenRow(part.rows(group), row - part.starts[group])
