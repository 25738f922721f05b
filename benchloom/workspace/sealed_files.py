"""Files with the digest of their name and content before it: what is damaged is as if missing."""

import hashlib
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

from benchloom.sealing import kind_of
from benchloom.workspace.files import write_file
from benchloom.workspace.leftovers import remove_leftovers

_SEAL_BYTES = 32


def read_sealed(path: Path, most: int | None = None) -> bytes | None:
    """What a file holds; None where it is not what was written to this place.

    A file with more than `most` bytes is not read.
    """
    try:
        if kind_of(path) != "file" or (most is not None and path.stat().st_size > most):
            return None
        content = path.read_bytes()
    except OSError:
        return None
    told = memoryview(content)[_SEAL_BYTES:]
    return bytes(told) if content[:_SEAL_BYTES] == _seal(path.name, told) else None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file, atomically.

    Raises:
        OSError: it cannot be written.
    """
    write_file(path, _seal(path.name, content) + content)


def forget_unused(folder: Path, used: AbstractSet[str]) -> None:
    """Remove the files of a store that have no name in `used`, and what a killed run left.

    What cannot be removed is no fault, and a store that is none holds nothing of ours.
    """
    if kind_of(folder) != "folder":
        return
    with suppress(OSError):
        remove_leftovers(folder)
        for path in folder.iterdir():
            if path.name not in used and kind_of(path) in {"file", "link"}:
                path.unlink()


def _seal(name: str, content: bytes | memoryview) -> bytes:
    found = hashlib.sha256(name.encode() + b"\0")
    found.update(content)
    return found.digest()
