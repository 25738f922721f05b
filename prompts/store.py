"""The SQLite file under the completion log: one writer thread, durable group commits, one owner.

Writes of many requests in flight are gathered into one transaction, so each is on disk before its
caller goes on, and a slow disk costs one flush per group instead of one per request.
"""

import fcntl
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from benchloom.errors import BenchloomError, RunError

T = TypeVar("T")
Operation = Callable[[sqlite3.Connection], T]

SCHEMA_VERSION = 1
GATHER_SECONDS = 0.008
"""How long a group waits for company: far less than any endpoint takes for a reply."""
_GROUP = 512
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
        self.reading = _connect(path)
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_groups, name="completion-log")
        self._thread.start()

    def write(self, operation: Operation[T]) -> "Future[T]":
        """Run `operation` in the next transaction; the future is done when it is on disk."""
        future: Future[T] = Future()
        self._waiting.put(_Waiting(operation, future))
        return future

    def _write_groups(self) -> None:
        while (first := self._waiting.get()) is not None:
            group: list[_Waiting] = [first]
            last = False
            time.sleep(GATHER_SECONDS)
            while len(group) < _GROUP and not last:
                try:
                    waiting = self._waiting.get_nowait()
                except queue.Empty:
                    break
                if waiting is None:
                    last = True
                else:
                    group.append(waiting)
            self._commit(group)
            if last:
                return

    def _commit(self, group: "list[_Waiting]") -> None:
        """One durable transaction; a fault of the database reaches every caller in it."""
        try:
            self._writing.execute("BEGIN IMMEDIATE")
            for waiting in group:
                waiting.run(self._writing)
            self._writing.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writing.in_transaction:
                self._writing.execute("ROLLBACK")
            fault = RunError(f"{self.path}: cannot be written: {error}")
            for waiting in group:
                waiting.fail(fault)
        else:
            for waiting in group:
                waiting.tell()

    def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._waiting.put(None)
        self._thread.join()
        self.reading.close()
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


class _Waiting:
    """A queued write; its caller hears of it only after the commit."""

    __slots__ = ("_fault", "_future", "_operation", "_value")

    def __init__(self, operation: Operation[T], future: "Future[T]") -> None:
        self._operation: Operation[object] = operation
        self._future: Future[object] = future  # type: ignore[assignment]  # T is object here
        self._value: object = None
        self._fault: BenchloomError | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        try:
            self._value = self._operation(connection)
        except BenchloomError as fault:
            self._fault = fault

    def tell(self) -> None:
        if self._fault is not None:
            self._future.set_exception(self._fault)
        elif not self._future.cancelled():
            self._future.set_result(self._value)

    def fail(self, fault: BenchloomError) -> None:
        if not self._future.cancelled():
            self._future.set_exception(fault)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA journal_mode=WAL")
    # FULL: a reservation and a paid reply are on disk before they are relied on.
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
