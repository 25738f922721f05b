"""Recovers an interrupted archive by cutting the file after the last complete record."""

import os
from pathlib import Path

from benchloom.storage.web_archive.scanning import Damage, scan

_LARGEST = 1 << 28


def whole_bytes(path: Path) -> int:
    """Return where the last complete record (with end and checksum) of an archive ends.

    Damage before complete records does not end the count: the records after the damage are kept.
    """
    whole = 0
    with path.open("rb") as file:
        for member in scan(file, 0, _LARGEST, len):
            if not isinstance(member, Damage):
                whole = member.offset + member.length
    return whole


def recover(path: Path) -> int:
    """Cut a file after its last complete record; return the number of bytes removed."""
    whole = whole_bytes(path)
    size = path.stat().st_size
    if whole < size:
        with path.open("r+b") as file:
            file.truncate(whole)
            os.fsync(file.fileno())
    return size - whole
