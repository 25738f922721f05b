"""The files of released tables: planned, written, and taken over from the release before."""

from benchloom.release.sharding.earlier import remember_file, with_earlier
from benchloom.release.sharding.planning import SHARD_BYTES, file_set_of, plan_files
from benchloom.release.sharding.shards import Shard

__all__ = [
    "SHARD_BYTES",
    "Shard",
    "file_set_of",
    "plan_files",
    "remember_file",
    "with_earlier",
]
