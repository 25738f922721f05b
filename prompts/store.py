"""The SQLite file under the completion log: quick commits, gathered flushes, one owner.

A write is committed when `write` returns: it lies in the pages of the system and outlives a killed
process. After `on_disk` it outlives a power cut too. The two are apart since a commit takes a
tenth of a millisecond and a flush as long as the disk likes; a flush does not hold up commits.
"""

import fcntl
import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from benchloom.errors import RunError
from prompts.flush import Flusher

T = TypeVar("T")
Operation = Callable[[sqlite3.Connection], T]

SCHEMA_VERSION = 1
WRITES_PER_CHECKPOINT = 1_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS completions (
    request_digest TEXT PRIMARY KEY, completion_digest TEXT NOT NULL, model TEXT NOT NULL,
    status TEXT NOT NULL, content TEXT NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, usd_nano INTEGER NOT NULL, served_model TEXT NOT NULL,
    logged_at REAL NOT NULL, request BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
    job TEXT PRIMARY KEY, committed_nano INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, request_digest TEXT NOT NULL,
    reserved_nano INTEGER NOT NULL, charged_nano INTEGER, outcome TEXT, batch TEXT,
    started_at REAL NOT NULL, ended_at REAL);
CREATE INDEX IF NOT EXISTS attempts_by_request ON attempts (job, request_digest);
CREATE TABLE IF NOT EXISTS dialects (
    endpoint TEXT NOT NULL, model TEXT NOT NULL, dialect BLOB NOT NULL,
    PRIMARY KEY (endpoint, model));
CREATE TABLE IF NOT EXISTS batches (
    key TEXT PRIMARY KEY, job TEXT NOT NULL, batch_id TEXT, state TEXT NOT NULL,
    requests INTEGER NOT NULL, created_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS batch_requests (
    attempt INTEGER PRIMARY KEY, batch TEXT NOT NULL, request BLOB NOT NULL);
"""


class Store:
    """An open completion store; use it as a context manager.

    Raises:
        RunError: the file is no completion log, or another run is writing to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _lock_file(path)
        try:
            self._open(path)
        except sqlite3.Error as error:
            os.close(self._lock)
            raise RunError(f"{path}: not a completion log: {error}") from error

    def _open(self, path: Path) -> None:
        self._writing = _connect(path)
        self._writing.executescript(_SCHEMA)
        version = self._writing.execute("PRAGMA user_version").fetchone()[0]
        if version not in {0, SCHEMA_VERSION}:
            raise sqlite3.DatabaseError(f"version {version}, this program knows {SCHEMA_VERSION}")
        self._writing.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        # From here on a commit flushes nothing; `on_disk` does.
        self._writing.execute("PRAGMA synchronous=NORMAL")
        self._writing.execute("PRAGMA wal_autocheckpoint=0")
        self.reading = _connect(path)
        self._checkpointing = _connect(path)
        self._journal = os.open(f"{path}-wal", os.O_RDWR | os.O_CLOEXEC)
        # What a killed run committed is about to be used.
        _sync(self._journal)
        self._turn = threading.Lock()
        self._writes = 0
        self._flusher = Flusher(self._flush)

    def write(self, operation: Operation[T]) -> T:
        """Run `operation` in a transaction of its own; a killed process loses none of it.

        Raises:
            RunError: the file cannot be written. Whatever `operation` raises rolls it back.
        """
        with self._turn:
            try:
                self._writing.execute("BEGIN IMMEDIATE")
                value = operation(self._writing)
                self._writing.execute("COMMIT")
            except sqlite3.Error as error:
                raise RunError(f"{self.path}: cannot be written: {error}") from error
            finally:
                if self._writing.in_transaction:
                    self._writing.execute("ROLLBACK")
            self._writes += 1
        return value

    def look_up(self, query: str, *values: str) -> tuple[Any, ...] | None:
        """The first row of a query over everything written, on disk or not.

        It reads through the connection that writes, which knows the pages it has just changed;
        another one would read them again after every write.
        """
        with self._turn:
            row: tuple[Any, ...] | None = self._writing.execute(query, values).fetchone()
        return row

    async def on_disk(self) -> None:
        """Return when everything written before this call outlives a power cut."""
        await self._flusher.on_disk()

    def _flush(self) -> None:
        try:
            _sync(self._journal)
            if self._writes >= WRITES_PER_CHECKPOINT:
                self._checkpoint()
        except (OSError, sqlite3.Error) as error:
            raise RunError(f"{self.path}: cannot be written: {error}") from error

    def _checkpoint(self) -> None:
        """Move the journal into the database, so that the next write starts it afresh.

        The bulk goes while others write; they are held up only for what they added meanwhile.
        """
        self._checkpointing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        with self._turn:
            self._checkpointing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._writes = 0

    def close(self) -> None:
        """Let go of the file; the last connection moves its journal into it, flushed."""
        os.close(self._journal)
        self.reading.close()
        self._checkpointing.close()
        self._writing.close()
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _sync(descriptor: int) -> None:
    if sys.platform == "linux":
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA journal_mode=WAL")
    # FULL: the schema, and the name of the journal in its folder, are on disk from the start.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=10000")
    return connection


def _lock_file(path: Path) -> int:
    """Own the log while this process lives; the system lets go even after SIGKILL."""
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(f"{path} is in use by another run; wait for it or choose --log") from None
    return descriptor
