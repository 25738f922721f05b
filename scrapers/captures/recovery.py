"""An interrupted archive, brought back to its last whole record."""

import os
import zlib
from pathlib import Path

_PIECE = 1 << 20


def whole_bytes(path: Path) -> int:
    """How many bytes of a record-per-member gzip file belong to whole records.

    A member is whole when its end and its checksum are there.
    """
    whole = 0
    with path.open("rb") as file:
        inflater = zlib.decompressobj(31)
        pending = b""
        place = 0
        while True:
            pending = pending or file.read(_PIECE)
            if not pending:
                return whole
            try:
                inflater.decompress(pending, _PIECE)
            except zlib.error:
                return whole
            place += len(pending) - len(inflater.unused_data) - len(inflater.unconsumed_tail)
            pending = inflater.unconsumed_tail
            if inflater.eof:
                whole = place
                pending = inflater.unused_data
                inflater = zlib.decompressobj(31)


def recover(path: Path) -> int:
    """Cut a file behind its last whole record; the number of bytes cut."""
    whole = whole_bytes(path)
    size = path.stat().st_size
    if whole < size:
        with path.open("r+b") as file:
            file.truncate(whole)
            os.fsync(file.fileno())
    return size - whole
