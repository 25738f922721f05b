"""The files of released tables: planned, written, and taken over from the release before."""

from benchloom.release.sharding.kept import KeptFiles, keeping_files, kept_files
from benchloom.release.sharding.planning import SHARD_BYTES, file_set_of, plan_files
from benchloom.release.sharding.shards import Shard

__all__ = [
    "SHARD_BYTES",
    "KeptFiles",
    "Shard",
    "file_set_of",
    "keeping_files",
    "kept_files",
    "plan_files",
]
