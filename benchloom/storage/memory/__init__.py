"""The memory of a workspace: a cache of values, by a digest of all that determines a value.

    with remembering(workspace / MEMORY):
        plot = recall(digest("plot", figures), Plot, draw)  # drawn once, by this code

The cache is one SQLite file, named by the digest of our code, so other code does not read its
values. Keys are digests of 16 bytes, values are bytes with a checksum. A damaged or missing
value is computed again. One process owns the file and writes to it. Other processes read the
file and write their new values to separate files, which the owner merges into the file.
"""

from benchloom.storage.memory.context import (
    MEMORY,
    knows,
    memory,
    note,
    recall,
    remembering,
    shared_memory_file,
)
from benchloom.storage.memory.store import KEY_BYTES, Memory, digest

__all__ = [
    "KEY_BYTES",
    "MEMORY",
    "Memory",
    "digest",
    "knows",
    "memory",
    "note",
    "recall",
    "remembering",
    "shared_memory_file",
]
