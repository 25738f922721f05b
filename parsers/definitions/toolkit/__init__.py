"""The format of ToolKit databases, in which current systems keep definitions of all tools."""

from benchloom.storage.inputs.nested import SQLITE_MAGIC
from parsers.definitions import DefinitionFormat, parse_by

JOURNAL_ENDINGS = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database."""


def named(name: str) -> bool:
    """Whether a file name is that of a ToolKit database, not of its journal."""
    return name.startswith("Tools-") and not name.endswith(JOURNAL_ENDINGS)


def recognises(name: str, data: bytes) -> bool:
    """Whether a file is an SQLite database."""
    del name
    return data.startswith(SQLITE_MAGIC)


FORMAT = DefinitionFormat("toolkit", recognises, parse_by(f"{__name__}.format"), named)
