"""Hard-link shards that an earlier run in the same workspace made from the same contents.

The workspace memory maps the digest of everything a shard is made from to the folder and number
of the shard. A shard is used only if its files are unchanged since they were written. If
`benchloom clean` removes the folder of the earlier run, the linked files remain.
"""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.memory import digest, memory
from benchloom.storage.sealing import changed_files, kind_of, renaming
from benchloom.storage.stages import read_mark_alone, read_shard_mark, write_sealed_mark
from benchloom.storage.workspace import TemporaryFile


class _ShardLocation(msgspec.Struct, frozen=True, array_like=True):
    """A shard: the folder of its stage below the workspace, its number, the seal of its mark."""

    folder: str
    number: int
    seal: str


def link_shards(folder: Path, keys: Sequence[str]) -> None:
    """Link missing shards of a stage to shards that an earlier run made from equal contents.

    Args:
        folder: the folder of the stage.
        keys: for each shard the digest of everything it is made from; "" if it is unknown.

    Raises:
        RunError: a shard in the folder was changed since it was written.
    """
    remembered = memory()
    if remembered is None or kind_of(folder) not in {None, "folder"}:
        return
    for number, key in enumerate(keys):
        if not key or read_shard_mark(folder, number) is not None:
            continue
        content = remembered.get(_memory_key(key))
        if content is not None:
            with suppress(msgspec.MsgspecError):
                location = msgspec.msgpack.decode(content, type=_ShardLocation)
                _link(remembered.folder.parent / location.folder, location, folder, number)


def remember_shards(folder: Path, keys: Sequence[str]) -> None:
    """Store the locations of a stage's finished shards, so that later runs can link them."""
    remembered = memory()
    if remembered is None:
        return
    name = folder.relative_to(remembered.folder.parent).as_posix()
    for number, key in enumerate(keys):
        mark = read_mark_alone(folder, number) if key else None
        if mark is not None:
            location = _ShardLocation(name, number, mark.seal)
            remembered.put(_memory_key(key), msgspec.msgpack.encode(location))


def _memory_key(key: str) -> bytes:
    return digest("shard", key)


def _link(other: Path, location: _ShardLocation, folder: Path, number: int) -> None:
    """Link a shard's files into `folder` under `number`, unless they changed or are gone."""
    before = location.number
    try:
        mark = read_mark_alone(other, before)
    except RunError:
        return
    if mark is None or mark.seal != location.seal:
        return
    if any(kind_of(other / file.path) != "file" for file in mark.files):
        return
    # Before a file has its second name: the name changes the times by which a file is known.
    if any(changed_files(other, mark.files)):
        return
    files = []
    for file in mark.files:
        name = file.path.replace(f"{before:05d}.", f"{number:05d}.")
        with renaming(other / file.path, folder / name):
            _link_file(other / file.path, folder / name)
        files.append(msgspec.structs.replace(file, path=name))
    linked = tuple(sorted(files, key=lambda file: file.path))
    if not any(changed_files(folder, linked)):
        write_sealed_mark(folder, msgspec.structs.replace(mark, number=number, files=linked))


def _link_file(source: Path, target: Path) -> None:
    """Hard-link a file that is never modified, or copy it if the disk has no hard links."""
    temporary = TemporaryFile(target)
    temporary.path.unlink(missing_ok=True)
    try:
        target.unlink(missing_ok=True)  # renaming one name of a file to another does nothing
        try:
            os.link(source, temporary.path)
        except OSError:
            shutil.copyfile(source, temporary.path)
            temporary.commit()
        else:
            # The content is on the disk already; the name goes there with the mark of the shard.
            temporary.path.replace(target)
    except OSError:
        temporary.discard()
        raise
