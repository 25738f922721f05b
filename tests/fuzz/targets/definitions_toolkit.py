"""Fuzz ToolKit databases: damaged pages, and valid databases with damaged or odd values."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from random import Random

from benchloom.storage.inputs.nested import SQLITE_MAGIC
from tests.fuzz import Target
from tests.fuzz.definitions import reader_of
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.trees import odd_value
from tests.support.samples.definitions import toolkit_database

_WORDS = (b"CREATE TABLE", b"CREATE VIEW", b"rowid", b"\xff" * 9, b"\x00\x00\x00\x02")
_SHAPES = ("v78", "26.1", "15.4", "empty")


def seeds() -> list[bytes]:
    """Return a database of every known shape."""
    return [toolkit_database(shape) for shape in _SHAPES]


def accepts(data: bytes) -> bool:
    """Return whether a file is an SQLite database."""
    return data.startswith(SQLITE_MAGIC)


def mutate(chance: Random, files: Sequence[bytes]) -> bytes:
    """Return a mutant; two in three mutants are valid databases with some changed values."""
    if chance.random() < 0.33:
        return mutate_bytes(chance, files, _WORDS)
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(chance.choice(files))
        names = [
            (table, column[1])
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for column in database.execute(f'PRAGMA table_info("{table}")')
        ]
        for _ in range(chance.choice((1, 1, 2, 4))):
            _change(chance, database, *chance.choice(names))
        database.commit()
        return database.serialize()


def _change(chance: Random, database: sqlite3.Connection, table: str, column: str) -> None:
    """Change the value of a column in one row or in all rows."""
    rows = database.execute(f'SELECT rowid, "{column}" FROM "{table}" LIMIT 200').fetchall()  # noqa: S608  the names are written in the test
    if not rows:
        return
    row, old = chance.choice(rows)
    if isinstance(old, bytes) and old and chance.random() < 0.8:
        new: object = mutate_bytes(chance, [old])[:100_000]
    else:
        new = odd_value(chance, property_list=False)
        if isinstance(new, (list, dict)) or (isinstance(new, int) and abs(new) >= 2**63):
            new = str(new)
    where = "WHERE rowid = ?" if chance.random() < 0.8 else "WHERE ? IS NOT NULL"
    try:
        database.execute(f'UPDATE "{table}" SET "{column}" = ? {where}', (new, row))  # noqa: S608  the names are written in the test
    except sqlite3.Error:
        return  # a duplicate key, or a value of the wrong type


TARGET = Target("definitions-toolkit", seeds, reader_of("toolkit"), mutate, accepts=accepts)
