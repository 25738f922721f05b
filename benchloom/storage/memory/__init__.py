"""The memory of a workspace: values by the digest of all that they were computed from.

    with remembering(workspace / MEMORY):
        plot = recall(digest("plot", figures), Plot, draw)  # drawn once, by this code

It is one SQLite file, named by the digest of our code: other code remembers nothing of it. Keys are
digests of 16 bytes, values are bytes with a check of their own, so what is damaged or gone is
computed again and never believed. One process owns the file and writes it. Others read it, and
leave what they learned in files of their own, which the owner takes in.
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
