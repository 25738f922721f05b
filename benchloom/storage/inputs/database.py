"""Read a live SQLite database as bytes: one consistent copy with its write-ahead log."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from benchloom.core.errors import RejectedInputError
from benchloom.storage.inputs.folder import read_file

SQLITE_MAGIC = b"SQLite format 3\0"


def is_database(path: Path) -> bool:
    """Whether the file starts like an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


def read_database(path: Path, limit: int) -> bytes:
    """Return the bytes of a database, or of a copy with the changes in its write-ahead log.

    The file is opened read-only. Raises RejectedInputError if it is too large or damaged.
    """
    real = path.resolve()
    log = real.with_name(real.name + "-wal")
    if not log.is_file() or not log.stat().st_size:
        return read_file(path, limit)
    if real.stat().st_size + log.stat().st_size > limit:
        raise RejectedInputError("too_large", f"{real.stat().st_size} bytes, limit {limit}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.sqlite"
            with closing(sqlite3.connect(f"{real.as_uri()}?mode=ro", uri=True)) as connection:
                connection.execute("VACUUM INTO ?", (str(copy),))
            return read_file(copy, limit)
    except sqlite3.Error as error:
        raise RejectedInputError("bad_database", f"SQLite: {error}") from error
