"""Files of tables that an earlier run in a workspace wrote of the same rows: they are copied.

A file follows from the rows that it holds and from the code that writes it. A store is a folder
that is named by the digest of that code; a copy of each file lies in it, under the name of what it
was made of and of its own digest. It is no second name of the file: whatever happens to a store, a
release stays. A copy that is missing or damaged is only made again. What a run did not use is
forgotten.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from benchloom.release.sharding.shards import Again, Shard
from benchloom.sealing import file_digest
from benchloom.workspace import TemporaryFile, remove_leftovers

_ENDING = ".parquet"


class KeptFiles:
    """The files of a store; without a folder there are none, and none is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._known: dict[str, tuple[Path, str]] = {}
        for path in () if folder is None else sorted(folder.glob(f"*-*{_ENDING}")):
            key, _, digest = path.stem.partition("-")
            self._known[key] = (path, digest)
        self._keys: dict[Path, str] = {}
        self._used: set[str] = set()

    def again(self, shard: Shard) -> Shard:
        """A file that is to be written, as a copy where it was written before."""
        key = None if self._folder is None or isinstance(shard, Again) else shard.key()
        if key is None or isinstance(shard, Again):
            return shard
        self._keys[shard.target] = key
        known = self._known.get(key)
        return shard if known is None else Again(shard, *known)

    def keep(self, written: Sequence[tuple[Path, str]]) -> None:
        """Keep files, with their digests; a store that takes none is no fault."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            for path, digest in written:
                if path in self._keys:
                    place = self._folder / f"{self._keys[path]}-{digest}{_ENDING}"
                    self._used.add(place.name)
                    if not place.is_file() or file_digest(place) != digest:
                        _copy(path, place)

    def forget(self) -> None:
        """Remove what this run did not use, and what a killed one left."""
        with suppress(OSError):  # as in `keep`
            if self._folder is not None and self._folder.is_dir():
                remove_leftovers(self._folder)
            for path, _ in self._known.values():
                if path.name not in self._used:
                    path.unlink(missing_ok=True)


def _copy(path: Path, place: Path) -> None:
    temporary = TemporaryFile(place)
    try:
        shutil.copyfile(path, temporary.path)
        temporary.commit()
    finally:
        temporary.discard()


_kept: ContextVar[KeptFiles | None] = ContextVar("kept", default=None)


def kept_files() -> KeptFiles:
    """The store of this context; one that keeps nothing where there is none."""
    return _kept.get() or KeptFiles()


@contextmanager
def keeping_files(folder: Path) -> Iterator[None]:
    """Know the files of a store, and leave those that are written here to the next run."""
    kept = KeptFiles(folder)
    token = _kept.set(kept)
    try:
        yield
        kept.forget()
    finally:
        _kept.reset(token)
