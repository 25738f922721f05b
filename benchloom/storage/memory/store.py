"""Store the cache of a workspace in an SQLite file. One process writes the file, many read it."""

import hashlib
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.core.identity import hex_of
from benchloom.storage.code import code_digest
from benchloom.storage.seals import kind_of
from benchloom.storage.workspace import KEY_DIGITS
from benchloom.storage.workspace.files import remove_path

KEY_BYTES = 16
_CHECK_BYTES = 8
_AT_ONCE = 500  # Keys in one query: every SQLite accepts 999 parameters.
_STAMPED_SECONDS = 7 * 24 * 3600
"""The time of last use of a value is renewed only if it is older, because renewing takes longer
than reading."""
_MAX_WAITING = 1 << 16  # The number of new values that are queued before they are written.
_ENDING = ".sqlite"
_NEW_VALUES = ".learned"
_SCHEMA = """
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
CREATE TABLE IF NOT EXISTS remembered(
    key BLOB PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID"""
"""Sets up the file. The lock is exclusive, because locking for each query takes longer than the
query."""
_GET = "SELECT key, value, used FROM remembered WHERE key = ?"
_GET_MANY = "SELECT key, value, used FROM remembered WHERE key IN"
_PUT = "INSERT OR REPLACE INTO remembered VALUES (?, ?, ?)"
_SIZES = """
SELECT used, SUM(LENGTH(value) + 40) FROM remembered GROUP BY used ORDER BY used DESC"""
_TOUCH = "UPDATE remembered SET used = ? WHERE key = ? AND used < ?"
_DAMAGED = (sqlite3.Error, ValueError)
"""Errors of a damaged file. ValueError is raised if SQLite's message is not valid UTF-8."""


def digest(*parts: bytes | str) -> bytes:
    """Return a cache key for a list of parts. Different lists have different keys."""
    hasher = hashlib.blake2b(digest_size=KEY_BYTES)
    for part in parts:
        content = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        hasher.update(len(content).to_bytes(8))
        hasher.update(content)
    return hasher.digest()


class _NewValues(msgspec.Struct, frozen=True, array_like=True):
    put: list[tuple[bytes, bytes]]
    used: bytes


def memory_file(folder: Path) -> Path:
    """Return the path of the cache file in a folder.

    The file is named by the digest of our code.
    """
    return folder / f"{hex_of(code_digest())[:KEY_DIGITS]}{_ENDING}"


class Memory:
    """A cache on disk that maps keys to values.

    Only the process that is the `owner` writes its file; other processes write files beside it.
    """

    def __init__(self, path: Path, *, owner: bool) -> None:
        self.path = path
        self.folder = path.parent
        self._owner = owner
        self._now = int(time.time())
        self._waiting: dict[bytes, bytes] = {}
        self._used = bytearray()
        self._file: sqlite3.Connection | None = None
        with suppress(OSError, *_DAMAGED):
            self._open()

    @property
    def workspace(self) -> Path:
        """The workspace to which the cache belongs."""
        return self.folder.parent

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key, or None if it is missing or damaged."""
        waiting = self._waiting.get(key)
        if waiting is not None or self._file is None:
            return waiting
        for _, stored, used in self._query(_GET, [key]):
            return self._intact_value(key, stored, used)
        return None

    def get_many(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the values of many keys, in the order of the keys."""
        stored_values: dict[bytes, bytes] = {}
        requested_keys = [key for key in dict.fromkeys(keys) if key not in self._waiting]
        for start in range(0, len(requested_keys) if self._file is not None else 0, _AT_ONCE):
            chunk = requested_keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(chunk))
            for key, stored, used in self._query(f"{_GET_MANY} ({marks})", chunk):
                value = self._intact_value(key, stored, used)
                if value is not None:
                    stored_values[key] = value
        return [self._waiting.get(key, stored_values.get(key)) for key in keys]

    def put(self, key: bytes, value: bytes = b"") -> None:
        """Store a value. If it cannot be written to disk, it is lost without an error."""
        self._waiting[key] = value
        if self._owner and len(self._waiting) >= _MAX_WAITING:
            self.flush()

    def flush(self) -> None:
        """Write all new values to the file, also those in separate files of other processes."""
        if not self._owner:
            return
        waiting, self._waiting = self._waiting, {}
        new_values = [_NewValues(list(waiting.items()), bytes(self._used))]
        self._used = bytearray()
        try:
            self._write(chain(new_values, self._values_of_others()))
        except _DAMAGED:  # the file is damaged, or the disk is full
            self._forget_all()
            with suppress(*_DAMAGED):
                self._write(chain(new_values, self._values_of_others()))
        shutil.rmtree(self._new_values_folder(), ignore_errors=True)

    def close(self) -> None:
        """Save new values for later runs, and close the file."""
        if self._owner:
            self.flush()
        elif self._waiting or self._used:
            new_values = _NewValues(list(self._waiting.items()), bytes(self._used))
            with suppress(OSError):
                _write_new_values(self._new_values_folder(), new_values)
        if self._file is not None:
            self._file.close()
            self._file = None

    def shrink(self, most: int) -> None:
        """Remove the least recently used values until the file has at most `most` bytes."""
        self.flush()
        if self._file is None or self.path.stat().st_size <= most:
            return
        try:
            sizes = self._file.execute(_SIZES).fetchall()
            left = most
            oldest = self._now + 1
            for used, size in sizes:
                left -= size
                if left < 0:
                    break
                oldest = used
            self._file.execute("DELETE FROM remembered WHERE used < ?", [oldest])
            self._file.commit()
            self._file.execute("VACUUM")
        except _DAMAGED:
            self._forget_all()

    def _open(self) -> None:
        path = self.path
        if not self._owner:
            # No process writes to the file while the processes of a stage read it. So it needs
            # no locks, which shared network folders may lack.
            if kind_of(path) == "file":
                address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
                self._file = sqlite3.connect(address, uri=True, check_same_thread=False)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for other in self.folder.iterdir():
            if not other.name.startswith(path.stem):
                remove_path(other, ignore_errors=True)
        try:
            self._file = sqlite3.connect(path, check_same_thread=False)
            self._file.executescript(_SCHEMA)
        except _DAMAGED:
            self._forget_all()

    def _query(self, query: str, keys: Sequence[bytes]) -> list[tuple[bytes, object, object]]:
        if self._file is None:
            return []
        try:
            return self._file.execute(query, keys).fetchall()
        except _DAMAGED:
            self._file.close()
            self._file = None
            if self._owner:
                self._forget_all()
            return []

    def _intact_value(self, key: bytes, stored: object, used: object) -> bytes | None:
        # None if the checksum is wrong; an old time of use is renewed.
        if not isinstance(stored, bytes) or not isinstance(used, int):
            return None
        value = stored[_CHECK_BYTES:]
        if stored[:_CHECK_BYTES] != _check(key, value):
            return None
        if used < self._now - _STAMPED_SECONDS:
            self._used += key
        return value

    def _values_of_others(self) -> Iterator[_NewValues]:
        with suppress(OSError):
            for path in sorted(self._new_values_folder().glob("*")):
                new_values = _read_new_values(path)
                if new_values is not None:
                    yield new_values

    def _write(self, batches: Iterable[_NewValues]) -> None:
        if self._file is None:
            return
        now = self._now
        for new_values in batches:
            # Sorted by key, so that SQLite writes each page once.
            values = sorted(new_values.put)
            rows = ((key, _check(key, value) + value, now) for key, value in values)
            self._file.executemany(_PUT, rows)
            used = new_values.used
            keys = {used[at : at + KEY_BYTES] for at in range(0, len(used), KEY_BYTES)}
            self._file.executemany(_TOUCH, ((now, key, now) for key in sorted(keys)))
        self._file.commit()

    def _forget_all(self) -> None:
        # Continues with a new file, or without a file if none can be created.
        if self._file is not None:
            self._file.close()
            self._file = None
        with suppress(OSError, *_DAMAGED):
            for path in self.folder.glob(f"{self.path.stem}*"):
                remove_path(path, ignore_errors=True)
            self._file = sqlite3.connect(self.path, check_same_thread=False)
            self._file.executescript(_SCHEMA)

    def _new_values_folder(self) -> Path:
        return self.path.with_suffix(_NEW_VALUES)


def _check(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, key=key, digest_size=_CHECK_BYTES).digest()


def _write_new_values(folder: Path, new_values: _NewValues) -> None:
    # Not flushed to disk: readers ignore a file whose checksum differs.
    content = msgspec.msgpack.encode(new_values)
    folder.mkdir(parents=True, exist_ok=True)
    seal = hashlib.blake2b(content, digest_size=KEY_BYTES).digest()
    # Equal content gets the same name, so many runs that only read add one file.
    (folder / seal.hex()).write_bytes(seal + content)


def _read_new_values(path: Path) -> _NewValues | None:
    content = path.read_bytes()
    seal, payload = content[:KEY_BYTES], content[KEY_BYTES:]
    if hashlib.blake2b(payload, digest_size=KEY_BYTES).digest() != seal:
        return None
    return msgspec.msgpack.decode(payload, type=_NewValues)
