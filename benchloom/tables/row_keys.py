"""What the rows of a stage's file were made of: a key for each, in `rows/<number>.keys` beside it.

A key is the digest of everything that decides a row, so rows with equal keys are equal. A file
without keys, or with another number of them, has rows that nobody knows.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import numpy as np

from benchloom.sealing import kind_of
from benchloom.tables.opened import OpenPart

KEY_BYTES = 16
_HALVES = struct.Struct("<QQ")
KEYS_FOLDER, KEYS_ENDING = "rows", ".keys"


def keys_of_part(part: Path) -> list[bytes | None]:
    """The keys of the rows of one file of a stage, in order, or as many times nothing.

    Raises:
        RunError: the file is not readable Parquet.
    """
    with closing(OpenPart(part)) as opened:
        rows = opened.starts[-1]
    _, _, number = part.stem.rpartition("-")
    is_part = number.isdecimal() and part.parent.name == part.stem.removesuffix(f"-{number}")
    keys = read_keys(keys_path(part.parent.parent, int(number))) if is_part else []
    return [*keys] if len(keys) == rows else [None] * rows


def keys_path(folder: Path, number: int) -> Path:
    """The file of the keys of a shard."""
    return folder / KEYS_FOLDER / f"{number:05d}{KEYS_ENDING}"


def read_keys(path: Path) -> list[bytes]:
    """The keys in a file; none where there is no such file.

    Raises:
        OSError: it cannot be read.
    """
    content = joined_keys(path)
    return [content[start : start + KEY_BYTES] for start in range(0, len(content), KEY_BYTES)]


def joined_keys(path: Path) -> bytes:
    """The keys in a file as they lie there, one after another.

    Raises:
        OSError: it cannot be read.
    """
    return path.read_bytes() if kind_of(path) == "file" else b""


class PlacedKeys:
    """Where the rows of many files lie by their keys: columns of numbers, 32 bytes for each."""

    def __init__(self, files: Iterable[bytes]) -> None:
        """The `joined_keys` of some files; of equal keys that in the last file counts."""
        keys = [content[: len(content) // KEY_BYTES * KEY_BYTES] for content in files]
        counts = np.array([len(content) // KEY_BYTES for content in keys], np.int64)
        halves = np.frombuffer(b"".join(keys), "<u8").reshape(-1, 2)
        order = np.argsort(halves[:, 0], kind="stable")
        starts = np.cumsum(counts) - counts
        numbers = np.repeat(np.arange(len(counts)), counts)
        self._first_at = halves[order, 0].data
        self._second_at = halves[order, 1].data
        self._file_at = numbers[order].data
        self._row_at = (np.arange(len(halves)) - starts[numbers])[order].data

    def find(self, key: bytes) -> tuple[int, int] | None:
        """The number of the file and that of the row in it, None where no row has this key."""
        first, second = _HALVES.unpack(key)
        at = bisect_right(self._first_at, first) - 1
        while at >= 0 and self._first_at[at] == first:
            if self._second_at[at] == second:
                return self._file_at[at], self._row_at[at]
            at -= 1
        return None
