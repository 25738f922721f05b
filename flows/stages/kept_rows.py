"""Rows that an earlier run made of the same things: they are taken over as they lie in its files.

A shard of a stage notes a key for each of its rows in `rows/<number>.keys`: the digest of all that
the row was made of. Later stages make their keys of those of the rows they read, so no row is
decoded to be recognised. New input moves rows from one shard to the next, so a shard looks in all
shards of the two folders of the same stage that were written last. One counts when it is what was
written; what is damaged, missing or cleaned away is only made again.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.stages import part_path, read_shard_mark
from benchloom.tables import OpenPart, TakenRow
from benchloom.tables.row_keys import (
    KEY_BYTES,
    KEYS_ENDING,
    KEYS_FOLDER,
    PlacedKeys,
    joined_keys,
    keys_path,
)
from benchloom.workspace import KEYED, write_file

_RUNS = 2
_SHARDS = 4
"""Earlier shards that are open at once, a row group of each: rows come in about the same order."""
_LENGTH_BYTES = 8
_Place = tuple[Path, int]
"""A shard: the folder of its stage, and its number."""


class KeptRows:
    """The keys of the rows of one shard, and rows of earlier runs in some tables by their keys.

    Without a folder `out` of a workspace nothing is kept.
    """

    def __init__(
        self, out: Path | None = None, decides: str = "", tables: Sequence[str] = ()
    ) -> None:
        self._decides = decides.encode()
        self._tables = tables
        self._placed = _Placed() if out is None else _placed(_written_before(out))
        self._open: dict[_Place, _Shard | None] = {}
        self.keys: list[bytes] | None = None if out is None else []

    def key(self, *told: bytes | None) -> bytes | None:
        """The digest of all that a row is made of, besides code and options of the stage.

        None where nothing is kept, or where something that a row is made of has no key itself.
        """
        known = [part for part in told if part is not None]
        if self.keys is None or len(known) < len(told):
            return None
        return key_of((self._decides, *known))

    def find(self, key: bytes | None) -> tuple[TakenRow, ...] | None:
        """The row with this key in each of the tables, None where there is none that is sound."""
        found = None if key is None else self._placed.find(key)
        if found is None:
            return None
        place, row = found
        shard = self._shard(place)
        try:
            return None if shard is None else shard.rows(row)
        except RunError:
            return None

    def note(self, key: bytes | None) -> None:
        """Tell the key of the next row of the shard; without one none of its rows has any."""
        if key is None:
            self.keys = None
        elif self.keys is not None:
            self.keys.append(key)

    def _shard(self, place: _Place) -> "_Shard | None":
        if place not in self._open:
            while len(self._open) >= _SHARDS:
                self._close(next(iter(self._open)))
            self._open[place] = _sound_shard(place, self._tables)
        return self._open[place]

    def _close(self, place: _Place) -> None:
        shard = self._open.pop(place)
        if shard is not None:
            shard.close()

    def close(self) -> None:
        """Close what is open of earlier runs."""
        for place in list(self._open):
            self._close(place)


class _Shard:
    """The tables of an earlier shard."""

    def __init__(self, parts: Sequence[OpenPart]) -> None:
        self._parts = parts

    def rows(self, row: int) -> tuple[TakenRow, ...]:
        """One row of each table, by the number that it has in all of them."""
        found = []
        for part in self._parts:
            group = part.group_of(row)
            found.append(TakenRow(part.rows(group), row - part.starts[group]))
        return tuple(found)

    def close(self) -> None:
        """Close its files."""
        for part in self._parts:
            part.close()


def key_of(told: Iterable[bytes]) -> bytes:
    """A digest of some parts, told apart."""
    digest = hashlib.blake2b(digest_size=KEY_BYTES)
    for part in told:
        digest.update(len(part).to_bytes(_LENGTH_BYTES))
        digest.update(part)
    return digest.digest()


@contextmanager
def kept_rows(out: Path, decides: str, number: int, tables: Sequence[str]) -> Iterator[KeptRows]:
    """The rows of earlier runs for a shard of the stage in `out`, and the keys of its own.

    `decides` is the digest of code and options that decide a row. The keys stand in the folder when
    the block ends without a fault; write the mark of the shard after that.
    """
    if not KEYED.search(out.name):
        yield KeptRows()
        return
    with closing(KeptRows(out, decides, tables)) as kept:
        yield kept
    write_keys(out, number, kept.keys)


def write_keys(out: Path, number: int, keys: Sequence[bytes] | None) -> None:
    """Keep the keys of the rows of a shard, where all have one."""
    if keys is not None and KEYED.search(out.name):
        write_file(keys_path(out, number), b"".join(keys))


def shard_key(decides: str, keys: Iterable[bytes | None]) -> str:
    """What decides a shard whose files are made of rows with these keys, in this order, alone.

    Empty where a row has none: then no other shard stands for it.
    """
    told = list(keys)
    known = [key for key in told if key is not None]
    if len(known) < len(told):
        return ""
    return digest_of_parts("rows", [decides, b"".join(known).hex()])


class _Placed:
    """The rows of some folders by their keys; of equal ones that in the last folder counts."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._places: list[_Place] = []
        keys: list[bytes] = []
        for folder in folders:
            for path in sorted((folder / KEYS_FOLDER).glob(f"*{KEYS_ENDING}")):
                with suppress(OSError):
                    if path.stem.isdecimal():
                        keys.append(joined_keys(path))
                        self._places.append((folder, int(path.stem)))
        self._keys = PlacedKeys(keys)

    def find(self, key: bytes) -> tuple[_Place, int] | None:
        """The shard with this key, and the number of its row there."""
        found = self._keys.find(key)
        if found is None:
            return None
        number, row = found
        return self._places[number], row


class _Written(NamedTuple):
    """A folder of the stage whose shards have keys, and how the folder of the keys was found."""

    folder: Path
    signature: tuple[int, int, int]


def _written_before(out: Path) -> tuple[_Written, ...]:
    """The folders of the runs before, the last one behind the others."""
    subject = KEYED.sub("", out.name)
    written: list[tuple[int, str, _Written]] = []
    for path in out.parent.glob(f"{subject}-*"):
        with suppress(OSError):  # it is being cleaned away, or keeps no keys
            if path != out and KEYED.sub("", path.name) == subject:
                found = (path / KEYS_FOLDER).stat()
                told = found.st_ino, found.st_mtime_ns, found.st_ctime_ns
                written.append((found.st_mtime_ns, path.name, _Written(path, told)))
    return tuple(one for _, _, one in sorted(written)[-_RUNS:])


@lru_cache(maxsize=1)
def _placed(before: tuple[_Written, ...]) -> _Placed:
    """The rows of the runs before: a process makes many shards of a stage, and reads them once.

    A shard that is not what was written any more is found out when a row of it is wanted.
    """
    return _Placed(one.folder for one in before)


def _sound_shard(place: _Place, tables: Sequence[str]) -> _Shard | None:
    """A shard that is what was written, its keys included."""
    folder, number = place
    try:
        if read_shard_mark(folder, number) is None:
            return None
        return _Shard([OpenPart(part_path(folder, table, number), table) for table in tables])
    except (RunError, OSError):
        return None
