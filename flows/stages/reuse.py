"""Shards that an earlier run in the same workspace made of the same sources: they are linked.

The memory tells by the digest of all that a shard is made from where it is. A shard counts when it
is what was written. A linked file stays when `benchloom clean` removes the other folder.
"""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.memory import digest, memory
from benchloom.sealing import changed_files, kind_of, renaming
from benchloom.stages import (
    read_mark_alone,
    read_shard_mark,
    write_sealed_mark,
)
from benchloom.workspace import TemporaryFile


class _Place(msgspec.Struct, frozen=True, array_like=True):
    """A shard: the folder of its stage below the workspace, its number, the seal of its mark."""

    folder: str
    number: int
    seal: str


def reuse_shards(folder: Path, keys: Sequence[str]) -> None:
    """Link the shards of a stage that were made before, by their keys; an empty key has none.

    Raises:
        RunError: a shard that is there already is not what was written.
    """
    remembered = memory()
    if remembered is None or kind_of(folder) not in {None, "folder"}:
        return
    missing = [number for number in range(len(keys)) if read_shard_mark(folder, number) is None]
    for number in missing:
        content = remembered.get(_memory_key(keys[number])) if keys[number] else None
        if content is not None:
            with suppress(msgspec.MsgspecError):
                place = msgspec.msgpack.decode(content, type=_Place)
                _link(remembered.folder.parent / place.folder, place, folder, number)


def remember_shards(folder: Path, keys: Sequence[str]) -> None:
    """Remember where the finished shards of a stage are."""
    remembered = memory()
    if remembered is None:
        return
    name = folder.relative_to(remembered.folder.parent).as_posix()
    for number, key in enumerate(keys):
        mark = read_mark_alone(folder, number) if key else None
        if mark is not None:
            place = _Place(name, number, mark.seal)
            remembered.put(_memory_key(key), msgspec.msgpack.encode(place))


def _memory_key(key: str) -> bytes:
    return digest("shard", key)


def keys_of(
    decides: str, objects: Sequence[tuple[str, str]], ranges: Sequence[tuple[int, int]]
) -> list[str]:
    """What decides each shard: code and options, and the places and bytes of its objects.

    An object is its `source_uri` and what `told_bytes` says.
    """
    return [
        digest_of_parts("shard", [decides, *chain.from_iterable(objects[start:stop])])
        for start, stop in ranges
    ]


def _link(other: Path, place: _Place, folder: Path, number: int) -> bool:
    """Take a shard over under its number here; False where it is not what was remembered."""
    before = place.number
    try:
        mark = read_mark_alone(other, before)
    except RunError:
        return False
    if mark is None or mark.seal != place.seal:
        return False
    if any(kind_of(other / file.path) != "file" for file in mark.files):
        return False
    # Looked at before: the second name makes of it a file that has just changed.
    if any(changed_files(other, mark.files)):
        return False
    files = []
    for file in mark.files:
        name = file.path.replace(f"{before:05d}.", f"{number:05d}.")
        with renaming(other / file.path, folder / name):
            _link_file(other / file.path, folder / name)
        files.append(msgspec.structs.replace(file, path=name))
    linked = tuple(sorted(files, key=lambda file: file.path))
    if any(changed_files(folder, linked)):
        return False
    write_sealed_mark(folder, msgspec.structs.replace(mark, number=number, files=linked))
    return True


def _link_file(source: Path, target: Path) -> None:
    """A second name for a file, which nobody writes to; a copy where there are no such names."""
    temporary = TemporaryFile(target)
    temporary.path.unlink(missing_ok=True)
    try:
        target.unlink(missing_ok=True)  # to rename one name of a file to another does nothing
        try:
            os.link(source, temporary.path)
        except OSError:
            shutil.copyfile(source, temporary.path)
            temporary.commit()
        else:
            # What it holds lies on the disk already, and the name goes there with the shard's mark.
            temporary.path.replace(target)
    except OSError:
        temporary.discard()
        raise
