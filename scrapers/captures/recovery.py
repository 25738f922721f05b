"""An interrupted archive, brought back to its last whole record."""

import os
from pathlib import Path

from benchloom.storage.web_archive.scanning import Damage, scan

_LARGEST = 1 << 28


def whole_bytes(path: Path) -> int:
    """How many bytes of a record-per-member gzip file reach to the end of its last whole record.

    A member is whole when its end and its checksum are there. Damage before whole records is no
    end: what follows it is kept.
    """
    whole = 0
    with path.open("rb") as file:
        for member in scan(file, 0, _LARGEST, len):
            if not isinstance(member, Damage):
                whole = member.offset + member.length
    return whole


def recover(path: Path) -> int:
    """Cut a file behind its last whole record; the number of bytes cut."""
    whole = whole_bytes(path)
    size = path.stat().st_size
    if whole < size:
        with path.open("r+b") as file:
            file.truncate(whole)
            os.fsync(file.fileno())
    return size - whole
