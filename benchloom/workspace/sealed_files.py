"""Files with the digest of their name and content before it: what is damaged is as if missing."""

import hashlib
from pathlib import Path

from benchloom.sealing import kind_of
from benchloom.workspace.files import write_file

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


def _seal(name: str, content: bytes | memoryview) -> bytes:
    found = hashlib.sha256(name.encode() + b"\0")
    found.update(content)
    return found.digest()
