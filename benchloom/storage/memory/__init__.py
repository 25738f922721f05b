"""The memory of a workspace: a cache of values, by the digest of all that determines them.

    with remembering(workspace / MEMORY):
        plot = recall(digest("plot", figures), Plot, draw)  # drawn once, by this code

It is one SQLite file, named by the digest of our code: other code does not see its values. Keys
are digests of 16 bytes, values are bytes with a checksum, so a damaged or missing value is
computed again and never used. One process owns the file and writes it. Other processes read it
and write their new values to separate files, which the owner takes in.
"""

from benchloom.storage.memory.context import (
    MEMORY,
    knows,
    memory,
    memory_for_others,
    note,
    recall,
    remembering,
)
from benchloom.storage.memory.store import KEY_BYTES, Memory, digest

__all__ = [
    "KEY_BYTES",
    "MEMORY",
    "Memory",
    "digest",
    "knows",
    "memory",
    "memory_for_others",
    "note",
    "recall",
    "remembering",
]
