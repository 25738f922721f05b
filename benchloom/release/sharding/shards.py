"""The planned files of a released table, which any process can write."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, starmap
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchloom.storage.memory import digest, memory
from benchloom.storage.seals import file_digest
from benchloom.storage.tables import OpenParts, TableWriter, load_table, take_rows
from benchloom.storage.tables.writer import ROW_GROUP_BYTES

_AT_ONCE_BYTES = 32 * 1024 * 1024  # Size in memory of rows that are read together.


class _RowPosition(NamedTuple):
    part: int
    row: int


class CopiedFile(msgspec.Struct, frozen=True):
    """A planned file of a released table that is an unchanged copy of a stage's file."""

    table: str
    target: Path
    part: Path

    def write(self) -> None:
        """Copy the stage's file to the path in the release."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.part, self.target)

    def key(self) -> None:
        """Return None, because finding an equal earlier file would cost as much as copying."""


class GatheredFile(msgspec.Struct, frozen=True):
    """A planned file of a released table that contains rows of several stage files.

    `lengths` are the numbers of rows of the stage files `parts`. The file `numbers` lists the
    numbers of the rows to take, counted over all these files.
    """

    table: str
    target: Path
    parts: tuple[Path, ...]
    lengths: tuple[int, ...]
    numbers: Path

    def write(self) -> None:
        """Read the rows and write them to the file in the release."""
        with TableWriter(self.table, self.target) as writer:
            for rows in self._rows(load_table(self.table).row_group_rows):
                writer.add_table(rows)

    def key(self) -> str:
        """Return a digest of the stage files that contain the rows, and of the rows' positions."""
        parts, rows = self._positions(self._numbers())
        used, of_used = np.unique(parts, return_inverse=True)
        digest = hashlib.sha256(self.table.encode())
        for part in used.tolist():
            digest.update(file_digest(self.parts[part]).encode())
        digest.update(of_used.astype(np.int64).tobytes())
        digest.update(rows.tobytes())
        return digest.hexdigest()

    def _numbers(self) -> NDArray[np.int64]:
        return np.frombuffer(self.numbers.read_bytes(), np.int64)

    def _positions(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        starts = np.array([0, *accumulate(self.lengths)], np.int64)
        parts = np.searchsorted(starts, numbers, side="right") - 1
        return parts, numbers - starts[parts]

    def _rows(self, step: int) -> Iterator[pa.Table]:
        # Adjacent rows of the file are spread over all row groups of the parts, so one read may
        # open them all; reading many rows together saves reads.
        parts, rows = self._positions(self._numbers())
        start, count = 0, step
        with OpenParts(self.parts) as opened:
            while start < len(rows):
                end = start + count
                pairs = zip(parts[start:end].tolist(), rows[start:end].tolist(), strict=True)
                batch = take_rows(opened, list(starmap(_RowPosition, pairs)))
                for at in range(0, batch.num_rows, step):
                    yield from _halve(batch.slice(at, step))
                start = end
                count = max(1, _AT_ONCE_BYTES * batch.num_rows // max(1, batch.nbytes) // step)
                count *= step


class ReusedFile(msgspec.Struct, frozen=True):
    """A planned file that equals a file of an earlier release and is copied from there.

    If the copy has another digest than `sha256`, the file is written anew.
    """

    shard: CopiedFile | GatheredFile
    source: Path
    sha256: str

    @property
    def table(self) -> str:
        """The name of the table."""
        return self.shard.table

    @property
    def target(self) -> Path:
        """The path to which the file is written."""
        return self.shard.target

    def write(self) -> None:
        """Copy the file from the earlier release, and verify the digest of the copy.

        If the copy cannot be made or differs, the file is written from the stages' rows.
        """
        self.target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(self.source, self.target)
            is_same = file_digest(self.target) == self.sha256
        except OSError:
            is_same = False
        if not is_same:
            self.target.unlink(missing_ok=True)
            self.shard.write()


Shard = CopiedFile | GatheredFile | ReusedFile


def _halve(rows: pa.Table) -> Iterator[pa.Table]:
    if rows.nbytes <= ROW_GROUP_BYTES or rows.num_rows <= 1:
        yield rows
        return
    middle = rows.num_rows // 2
    yield from _halve(rows.slice(0, middle))
    yield from _halve(rows.slice(middle))


def with_earlier(shards: Iterable[Shard], earlier: Mapping[str, Path]) -> Iterator[Shard]:
    """Yield the planned files. A file that an earlier release has is replaced by a copy.

    `earlier` maps the SHA-256 digest of a file of an earlier release to its path.
    """
    cache = memory()
    for shard in shards:
        key = None if cache is None else _key(shard)
        content = None if cache is None or key is None else cache.get(key)
        path = None if content is None else earlier.get(content.hex())
        if content is None or path is None or isinstance(shard, ReusedFile):
            yield shard
        else:
            yield ReusedFile(shard, path, content.hex())


def remember_file(shard: Shard, sha256: str) -> None:
    """Store the digest of a written file in the workspace's cache, for later releases to copy."""
    cache = memory()
    key = None if cache is None else _key(shard)
    if cache is not None and key is not None and cache.get(key) != bytes.fromhex(sha256):
        cache.put(key, bytes.fromhex(sha256))


def _key(shard: Shard) -> bytes | None:
    # Returns None if computing the key costs as much as writing the file.
    content_key = None if isinstance(shard, ReusedFile) else shard.key()
    return None if content_key is None else digest("released", content_key)
