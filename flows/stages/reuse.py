"""Shards that an earlier run in the same workspace made of the same sources by the same code.

The folder of a stage notes what decides each of its shards in `shards/keys.json`. A shard with an
equal key in the folder of the same stage beside it is linked, when it is what was written. Folders
that `benchloom clean` removes take nothing with them: a linked file stays while one folder has it.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.identity import digest_of_parts
from benchloom.sealing import changed_files, kind_of, renaming
from benchloom.stages import (
    SHARDS,
    read_mark_alone,
    read_shard_mark,
    write_sealed_mark,
)
from benchloom.workspace import KEYED, TemporaryFile, write_file

_KEYS = "keys.json"


def reuse_shards(folder: Path, keys: Sequence[str]) -> None:
    """Note what decides each shard of a stage, and link those that were made before.

    An empty key is that of a shard for which no other stands.

    Raises:
        RunError: a shard that is there already is not what was written.
    """
    is_folder = kind_of(folder) in {None, "folder"}
    if not keys or not is_folder or not KEYED.search(folder.name):
        return
    there = [read_shard_mark(folder, number) is not None for number in range(len(keys))]
    noted = _read_keys(folder)
    # A shard that was changed after it was made has lost its key.
    known = noted if len(noted) == len(keys) else [""] * len(keys)
    told = [old if done else key for key, old, done in zip(keys, known, there, strict=True)]
    if told != noted:
        write_file(_path(folder), msgspec.json.encode(told))
    wanted = {key: number for number, key in enumerate(keys) if key and not there[number]}
    for other in _beside(folder) if wanted else ():
        for number, key in enumerate(_read_keys(other)):
            if key in wanted and _link(other, number, folder, wanted[key]):
                del wanted[key]


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


def forget_key(folder: Path, number: int) -> None:
    """Take back what decides a shard, before other shards decide about it too."""
    keys = _read_keys(folder)
    if number < len(keys):
        keys[number] = ""
        write_file(_path(folder), msgspec.json.encode(keys))


def _path(folder: Path) -> Path:
    return folder / SHARDS / _KEYS


def _read_keys(folder: Path) -> list[str]:
    """The keys of the shards in a folder; none where they cannot be read."""
    path = _path(folder)
    try:
        content = path.read_bytes() if kind_of(path) == "file" else b"[]"
        return msgspec.json.decode(content, type=list[str])
    except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError):
        return []


def _beside(folder: Path) -> Iterator[Path]:
    """The other folders of the same stage, the newest first."""
    subject = KEYED.sub("", folder.name)
    others = [
        path
        for path in folder.parent.glob(f"{subject}-*")
        if path != folder and KEYED.sub("", path.name) == subject and _path(path).is_file()
    ]
    yield from sorted(others, key=lambda path: (-_path(path).stat().st_mtime_ns, path.name))


def _link(other: Path, before: int, folder: Path, number: int) -> bool:
    """Take a shard over under its number here; False where it is damaged or was never finished."""
    try:
        mark = read_mark_alone(other, before)
    except RunError:
        return False
    if mark is None or any(kind_of(other / file.path) != "file" for file in mark.files):
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
