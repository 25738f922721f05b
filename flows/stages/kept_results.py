"""Results of a function by the digests of what it was given, kept from one run to the next.

A store is two files: `<name>.results` holds the results one after another, `<name>.index` where
each lies, by its key, with a check of its bytes. A run writes anew what it used, so that the store
never holds more than the newest inputs need. What is missing or damaged is only made again.
"""

import hashlib
import os
import struct
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from benchloom.sealing import kind_of
from benchloom.workspace import TemporaryFile, read_sealed, remove_leftovers, write_sealed

KEY_BYTES = 16
_CHECK_BYTES = 8
_ENTRY = struct.Struct(f"<{KEY_BYTES}sQI{_CHECK_BYTES}s")


class StoredResults:
    """What an earlier run left in a store."""

    def __init__(self, folder: Path, name: str) -> None:
        self._results = folder / f"{name}.results"
        self._places = _read_index(folder / f"{name}.index")
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Read from now on, also where the store is replaced meanwhile."""
        if kind_of(self._results) == "file":
            self._file = self._results.open("rb")

    def find(self, key: bytes) -> bytes | None:
        """The result for what has this key, None where there is none that is sound."""
        place = self._places.get(key)
        if place is None or self._file is None:
            return None
        start, length, check = place
        try:
            result = os.pread(self._file.fileno(), length, start)
        except OSError:
            return None
        return result if _check(key, result) == check else None

    def close(self) -> None:
        """Read no more."""
        if self._file is not None:
            self._file.close()


class KeptResults:
    """The results of the run before, and those of this one, which replace them at a good end."""

    def __init__(self, folder: Path, name: str) -> None:
        self._results = folder / f"{name}.results"
        self._index = folder / f"{name}.index"
        self._before = StoredResults(folder, name)
        self._temporary: TemporaryFile | None = None
        self._written: BinaryIO | None = None
        self._entries: list[bytes] = []
        self._end = 0

    def __enter__(self) -> Self:
        try:
            self._before.open()
            remove_leftovers(self._index.parent)
            self._temporary = TemporaryFile(self._results)
            self._written = self._temporary.path.open("wb")
        except OSError:
            self._drop()
        return self

    def find(self, key: bytes) -> bytes | None:
        """The result for what has this key, None where there is none that is sound."""
        return self._before.find(key)

    def keep(self, key: bytes, result: bytes) -> None:
        """Keep a result that this run used; a full disk ends the keeping, not the run."""
        if self._written is None:
            return
        try:
            self._written.write(result)
        except OSError:
            self._drop()
            return
        self._entries.append(_ENTRY.pack(key, self._end, len(result), _check(key, result)))
        self._end += len(result)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None and self._written is not None and self._temporary is not None:
                self._written.close()
                self._temporary.commit()
                # A kill between the two leaves places whose checks do not hold.
                write_sealed(self._index, b"".join(self._entries))
                self._temporary = None
        except OSError:
            return
        finally:
            self._drop()
            self._before.close()

    def _drop(self) -> None:
        """Keep nothing more."""
        try:
            if self._written is not None:
                self._written.close()
        except OSError:
            pass
        finally:
            self._written = None
            if self._temporary is not None:
                self._temporary.discard()
                self._temporary = None


def _check(key: bytes, result: bytes) -> bytes:
    return hashlib.blake2b(result, key=key, digest_size=_CHECK_BYTES).digest()


def _read_index(path: Path) -> dict[bytes, tuple[int, int, bytes]]:
    """Where each result lies; nothing where the index is not what was written."""
    entries = read_sealed(path)
    if entries is None or len(entries) % _ENTRY.size:
        return {}
    return {
        key: (start, length, check) for key, start, length, check in _ENTRY.iter_unpack(entries)
    }
