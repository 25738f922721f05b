"""Files of tables that an earlier release contains already: they are copied.

A file follows from the rows in it and from our code. Which file was written of the same rows is
remembered by its digest; the release before has it, or it is written again.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchloom.release.sharding.shards import Again, Shard
from benchloom.storage.memory import digest, memory


def with_earlier(shards: Iterable[Shard], earlier: Mapping[str, Path]) -> Iterator[Shard]:
    """Each file to be written, as a copy where an earlier release has it.

    Args:
        shards: the files to be written.
        earlier: files of earlier releases by their SHA-256 in hex.
    """
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
    """Remember the digest of the file that was written."""
    cache = memory()
    key = None if cache is None else _key(shard)
    if cache is not None and key is not None and cache.get(key) != bytes.fromhex(sha256):
        cache.put(key, bytes.fromhex(sha256))


def _key(shard: Shard) -> bytes | None:
    """The digest of what a file contains, None where that costs what writing it costs."""
    content_key = None if isinstance(shard, Again) else shard.key()
    return None if content_key is None else digest("released", content_key)
