"""Section: the length of the messages of rejected rows."""

from benchloom.release.descriptions.figures import Figure, Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("rejected",)
ORDER = 77


def section(tables: ReleaseTables) -> Section:
    """Count the letters of all messages."""
    files = tables.table_files("rejected")
    letters = sum(len(text or "") for file in files for (text,) in file.values(["message"]))
    return Section(
        "messages",
        "Messages",
        "What rejected objects are told.",
        (Figure("messages.letters", "letters", letters),),
    )
