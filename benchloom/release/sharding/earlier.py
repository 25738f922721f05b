"""Copy the files of a table that an earlier release already contains.

The memory stores the digest of the file that was written from the same rows by our code.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchloom.release.sharding.shards import Again, Shard
from benchloom.storage.memory import digest, memory


def with_earlier(shards: Iterable[Shard], earlier: Mapping[str, Path]) -> Iterator[Shard]:
    """Yield each file to write, as a copy where `earlier`, by SHA-256 in hex, has the file."""
    cache = memory()
    for shard in shards:
        key = None if cache is None else _key(shard)
        content = None if cache is None or key is None else cache.get(key)
        path = None if content is None else earlier.get(content.hex())
        if content is None or path is None or isinstance(shard, Again):
            yield shard
        else:
            yield Again(shard, path, content.hex())


def remember_file(shard: Shard, sha256: str) -> None:
    """Store the digest of a written file in the memory, for later releases."""
    cache = memory()
    key = None if cache is None else _key(shard)
    if cache is not None and key is not None and cache.get(key) != bytes.fromhex(sha256):
        cache.put(key, bytes.fromhex(sha256))


def _key(shard: Shard) -> bytes | None:
    # None if computing it costs as much as writing the file.
    content_key = None if isinstance(shard, Again) else shard.key()
    return None if content_key is None else digest("released", content_key)
