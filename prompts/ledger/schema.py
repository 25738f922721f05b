"""Create, check and upgrade the tables of a completion log, and sum the cost of a period."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from benchloom.core.errors import RunError
from prompts.ledger.prices import NANO

SCHEMA_VERSION = 4
REMEDY = (
    "restore it from a copy, or move it away (its replies are then requested and paid for again)"
)
SQLITE_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""Errors that reading a damaged file raises. The second one occurs if SQLite's error message quotes
damaged bytes."""
_TABLES = (
    """CREATE TABLE IF NOT EXISTS completions (
    request_digest TEXT PRIMARY KEY, completion_digest TEXT NOT NULL, model TEXT NOT NULL,
    status TEXT NOT NULL, content TEXT NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, usd_nano INTEGER NOT NULL, served_model TEXT NOT NULL,
    logged_at REAL NOT NULL, request BLOB NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS dialects (
    endpoint TEXT NOT NULL, model TEXT NOT NULL, dialect BLOB NOT NULL,
    PRIMARY KEY (endpoint, model))""",
    """CREATE TABLE IF NOT EXISTS batches (
    key TEXT PRIMARY KEY, job TEXT NOT NULL, batch_id TEXT, state TEXT NOT NULL,
    requests INTEGER NOT NULL, created_at REAL NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS batch_requests (
    attempt INTEGER PRIMARY KEY, batch TEXT NOT NULL, request BLOB NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS jobs (
    job TEXT PRIMARY KEY, committed_nano INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, request_digest TEXT NOT NULL,
    reserved_nano INTEGER NOT NULL, charged_nano INTEGER, outcome TEXT, batch TEXT,
    started_at REAL NOT NULL, ended_at REAL)""",
    "CREATE INDEX IF NOT EXISTS attempts_by_request ON attempts (job, request_digest)",
)
ADDED_COLUMNS = {"seal": ("TEXT", "''"), "tokens_cached": ("INTEGER", "0")}
"""Columns of `completions` that versions 2 and 3 of the log added, each with its type and its value
in older rows."""
_ADDED_TO_ATTEMPTS = {"purpose": ("TEXT", "'step'")}
"""The column that version 4 of the log added to the table `attempts`."""
_COPY = (
    """INSERT INTO ledger.jobs SELECT job, committed_nano FROM main.jobs WHERE true
    ON CONFLICT (job) DO UPDATE SET committed_nano = committed_nano + excluded.committed_nano""",
    """INSERT INTO ledger.attempts SELECT id + :base, job, request_digest, reserved_nano,
    charged_nano, outcome, batch, started_at, ended_at, purpose FROM main.attempts""",
)
_FORGET = (
    # In two moves, since ids must differ at every moment.
    "UPDATE main.batch_requests SET attempt = -(attempt + :base)",
    "UPDATE main.batch_requests SET attempt = -attempt",
    "DROP TABLE main.attempts",
    "DROP TABLE main.jobs",
)
_SUM = """SELECT coalesce(sum(coalesce(charged_nano, reserved_nano)), 0) FROM attempts
WHERE started_at >= ? AND started_at <= ?"""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create missing tables in a new or existing log file, and check the tables that exist.

    Raises:
        RunError: the file is damaged, or was not written by this program.
        sqlite3.Error: the file cannot be read.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in range(SCHEMA_VERSION + 1):
        raise sqlite3.DatabaseError(
            f"its version is {version}, and this program reads versions 0 to {SCHEMA_VERSION}"
        )
    check_pages(connection, path)
    _refuse_unexpected(
        path, {name for name in _tables(connection) if name not in dict(_expected_schema())}
    )
    # In one transaction: another run may open the same ledger at this moment.
    connection.execute("BEGIN IMMEDIATE")
    _make(connection)
    if version != SCHEMA_VERSION:
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    connection.execute("COMMIT")
    _refuse_unexpected(path, {name for name, _ in _tables(connection).items() - _expected_schema()})


def _make(connection: sqlite3.Connection) -> None:
    for statement in _TABLES:
        connection.execute(statement)
    for table, columns in (("completions", ADDED_COLUMNS), ("attempts", _ADDED_TO_ATTEMPTS)):
        present = columns_of(connection, table)
        for name, (kind, absent) in columns.items():
            if name not in present:
                connection.execute(
                    f"ALTER TABLE {table} ADD COLUMN {name} {kind} NOT NULL DEFAULT {absent}"
                )


def _refuse_unexpected(path: Path, names: set[str]) -> None:
    if names:
        raise RunError(
            f"{path} is not a completion log: its table or index {min(names)!r} is unknown or has "
            f"other columns; {REMEDY}"
        )


def check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if the file is damaged.

    SQLite reads the whole file and compares its tables with their indexes; 200 MB take a second.

    Raises:
        RunError: the file is damaged.
        sqlite3.Error: the file cannot be read.
    """
    (integrity_report,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if integrity_report != "ok":
        raise RunError(f"{path} is damaged: {' '.join(integrity_report.split())}; {REMEDY}")


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns; logs of older versions lack some columns."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
    return {name for (name,) in rows}


def move_ledger(connection: sqlite3.Connection) -> None:
    """Move the jobs and attempts of a log to the file that is attached as `ledger`.

    The two files are written one after the other. If the process is killed between the writes,
    costs are booked twice, but never lost.
    """
    connection.execute("BEGIN IMMEDIATE")
    (base,) = connection.execute("SELECT coalesce(max(id), 0) FROM ledger.attempts").fetchone()
    _execute_all(connection, _COPY, base)
    connection.execute("BEGIN IMMEDIATE")
    _execute_all(connection, _FORGET, base)


def _execute_all(connection: sqlite3.Connection, statements: tuple[str, ...], base: int) -> None:
    for statement in statements:
        connection.execute(statement, {"base": base} if ":base" in statement else {})
    connection.execute("COMMIT")


def _tables(connection: sqlite3.Connection) -> dict[str, str | None]:
    return dict(connection.execute("SELECT name, sql FROM main.sqlite_master").fetchall())


@cache
def _expected_schema() -> frozenset[tuple[str, str | None]]:
    """Return every expected table and index with its CREATE statement, as SQLite stores it."""
    connection = sqlite3.connect(":memory:")
    _make(connection)
    statements = frozenset(_tables(connection).items())
    connection.close()
    return statements


def spent_between(ledger: Path, first: float, last: float) -> float:
    """Return the cost in US dollars of all requests between two times (seconds since 1970).

    A request without a reply yet counts at its highest cost. The result is 0 if there is no ledger
    file.

    Raises:
        RunError: the ledger cannot be read.
    """
    if not ledger.is_file():
        return 0.0
    try:
        with closing(sqlite3.connect(f"{ledger.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            ((nano,),) = opened.execute(_SUM, (first, last))
    except SQLITE_FAULTS as error:
        raise RunError(f"{ledger} cannot be read: {error}; {REMEDY}") from error
    return int(nano) / NANO
