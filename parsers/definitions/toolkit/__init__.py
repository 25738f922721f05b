"""ToolKit databases, in which current systems keep the definitions of all tools."""

from benchloom.storage.inputs.nested import SQLITE_MAGIC
from parsers.definitions import DefinitionContext, DefinitionFormat, ParsedDefinitions

JOURNAL_ENDINGS = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database."""


def named(name: str) -> bool:
    """Whether a file name is that of a ToolKit database, not of a file that belongs to one."""
    return name.startswith("Tools-") and not name.endswith(JOURNAL_ENDINGS)


def recognises(name: str, data: bytes) -> bool:
    """Whether a file is an SQLite database."""
    del name
    return data.startswith(SQLITE_MAGIC)


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the tools of one database."""
    from parsers.definitions.toolkit import format as definition_format

    return definition_format.parse(data, context)


FORMAT = DefinitionFormat("toolkit", recognises, parse, named)
