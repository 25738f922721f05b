"""Section: how much is told of what was rejected."""

from benchloom.release.describing.figures import Figure, Section
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("rejected",)
ORDER = 77


def section(tables: ReleaseTables) -> Section:
    """The letters of all messages."""
    letters = 0
    for batch in tables.batches("rejected", ["message"], rows=4096):
        letters += sum(len(row["message"] or "") for row in batch.to_pylist())
    return Section(
        "messages",
        "Messages",
        "What rejected objects are told.",
        (Figure("messages.letters", "letters", letters),),
    )
