"""Plan and write the files of released tables, or copy them from the previous release."""

from benchloom.release.sharding.planning import SHARD_BYTES, file_set_of, plan_files
from benchloom.release.sharding.shards import Shard, remember_file, with_earlier

__all__ = [
    "SHARD_BYTES",
    "Shard",
    "file_set_of",
    "plan_files",
    "remember_file",
    "with_earlier",
]
