"""Open the SQLite file of the completion log; only one process may write it at a time.

A write is committed when `write` returns: it is in the operating system's page cache and survives a
killed process. After `on_disk` the write also survives a power cut. Commit and flush are separate
because a commit takes a tenth of a millisecond, and a flush as long as the disk needs. One flush
serves many writes and does not delay commits.
"""

import fcntl
import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Self, TypeVar

from benchloom.core.errors import RunError
from prompts.ledger.flush import Flusher
from prompts.ledger.schema import REMEDY, SQLITE_FAULTS, move_ledger, prepare

T = TypeVar("T")
Operation = Callable[[sqlite3.Connection], T]

WRITES_PER_CHECKPOINT = 1_000


class Store:
    """An open completion log file; use it as a context manager.

    Args:
        path: the log; only one run at a time may write to it.
        ledger: the log file that holds the costs, if it is a different file. Several runs may book
            costs in it at the same time. Earlier costs in `path` are moved into it.

    Raises:
        RunError: a file is not a completion log or is damaged, or another run is writing to the
            log.
    """

    def __init__(self, path: Path, ledger: Path | None = None) -> None:
        self.path = path
        own = ledger is None or ledger.resolve() == path.resolve()
        self.ledger = None if own else ledger
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _lock_file(path)
        self._descriptors = [self._lock]
        self._connections: list[sqlite3.Connection] = []
        try:
            self._open(path)
        except (*SQLITE_FAULTS, OSError) as error:
            self._release()
            raise RunError(f"{path} is not a completion log: {error}; {REMEDY}") from error
        except RunError:
            self._release()
            raise

    def _open(self, path: Path) -> None:
        self._writing = self._connect(path)
        prepare(self._writing, path)
        if self.ledger is not None:
            self._open_ledger(self.ledger)
        # From here on a commit flushes nothing; `on_disk` does.
        for schema in self._schemas():
            self._writing.execute(f"PRAGMA {schema}.synchronous=NORMAL")
        self._writing.execute("PRAGMA wal_autocheckpoint=0")
        self._reading, self._checkpointing = self._connect(path), self._connect(path)
        if self.ledger is not None:
            self._attach(self._reading)
            self._attach(self._checkpointing)
        self._journals = [
            os.open(f"{file}-wal", os.O_RDWR | os.O_CLOEXEC)
            for file in (path, self.ledger)
            if file is not None
        ]
        self._descriptors += self._journals
        # Entries that a killed run committed are about to be used, so they must be on disk.
        self._sync_journals()
        self._turn = threading.Lock()
        self._writes = 0
        self._flusher = Flusher(self._flush)

    def _open_ledger(self, ledger: Path) -> None:
        ledger.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(_connect(ledger)) as other:
                prepare(other, ledger)
                # The journal stays from here on: `_writing` has it open before `other` lets go.
                self._attach(self._writing)
                self._writing.execute("SELECT count(*) FROM ledger.jobs").fetchone()
        except SQLITE_FAULTS as error:
            raise RunError(f"{ledger} is not a completion log: {error}; {REMEDY}") from error
        move_ledger(self._writing)

    def _schemas(self) -> tuple[str, ...]:
        return ("main",) if self.ledger is None else ("main", "ledger")

    def _connect(self, path: Path) -> sqlite3.Connection:
        connection = _connect(path)
        self._connections.append(connection)
        return connection

    def _attach(self, connection: sqlite3.Connection) -> None:
        """Attach the ledger file, so that statements of `connection` also reach its tables."""
        connection.execute("ATTACH DATABASE ? AS ledger", (str(self.ledger),))
        connection.execute("PRAGMA ledger.synchronous=FULL")

    def _sync_journals(self) -> None:
        for journal in self._journals:
            _sync(journal)

    def write(self, operation: Operation[T]) -> T:
        """Run `operation` in a transaction; its effects survive a kill of the process.

        An exception in `operation` rolls the transaction back.

        Raises:
            RunError: the file cannot be written.
        """
        with self._turn:
            try:
                self._writing.execute("BEGIN IMMEDIATE")
                value = operation(self._writing)
                self._writing.execute("COMMIT")
            except SQLITE_FAULTS as error:
                raise self._write_error(error) from error
            finally:
                if self._writing.in_transaction:
                    self._writing.execute("ROLLBACK")
            self._writes += 1
        return value

    def look_up(self, query: str, *values: str) -> tuple[Any, ...] | None:
        """Return the first row of a query over all committed data, flushed or not.

        The query uses the writing connection, which has the pages it just changed in its cache;
        another connection would read these pages again after every write.

        Raises:
            RunError: the file is damaged.
        """
        with self._turn:
            try:
                row: tuple[Any, ...] | None = self._writing.execute(query, values).fetchone()
            except SQLITE_FAULTS as error:
                raise self._damage_error(error) from error
        return row

    def rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Return every row of a query over all committed data.

        Raises:
            RunError: the file is damaged.
        """
        try:
            return self._reading.execute(query, values).fetchall()
        except SQLITE_FAULTS as error:
            raise self._damage_error(error) from error

    def _damage_error(self, error: Exception) -> RunError:
        error_text = " ".join(str(error).split())
        return RunError(f"{self.path} is damaged: {error_text}; {REMEDY}")

    def _write_error(self, error: Exception) -> RunError:
        message = f"{self.path} cannot be written: {error}; free disk space or change permissions"
        return RunError(f"{message}, then run again")

    async def on_disk(self) -> None:
        """Wait until everything written before this call survives a power cut.

        Raises:
            RunError: the file cannot be written.
        """
        await self._flusher.on_disk()

    def _flush(self) -> None:
        try:
            self._sync_journals()
            if self._writes >= WRITES_PER_CHECKPOINT:
                self._checkpoint()
        except (OSError, *SQLITE_FAULTS) as error:
            raise self._write_error(error) from error

    def _checkpoint(self) -> None:
        """Copy the write-ahead journal into the database, most of it while other threads write."""
        self._checkpointing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        with self._turn:
            self._checkpointing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._writes = 0

    def close(self) -> None:
        """Close the file; SQLite then copies the write-ahead journal into the database."""
        # The lock goes last.
        self._connections.reverse()
        self._release()

    def _release(self) -> None:
        for connection in self._connections:
            connection.close()
        for descriptor in reversed(self._descriptors):
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
    try:
        connection.execute("PRAGMA busy_timeout=10000")
        connection.execute("PRAGMA journal_mode=WAL")
        # FULL: the schema, and the name of the journal in its folder, are on disk from the start.
        connection.execute("PRAGMA synchronous=FULL")
    except SQLITE_FAULTS:
        # Python 3.13 warns of a connection that nobody closes.
        connection.close()
        raise
    return connection


def _lock_file(path: Path) -> int:
    """Lock the log until this process ends; the system unlocks it even after SIGKILL."""
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(f"{path} is in use by another run; wait for it or choose --log") from None
    return descriptor
