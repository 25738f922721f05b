"""What the rows of a stage's file were made of: a key for each, in `rows/<number>.keys` beside it.

A key is the digest of everything that decides a row, so rows with equal keys are equal. A file
without keys, or with another number of them, has rows that nobody knows.
"""

from contextlib import closing
from pathlib import Path

from benchloom.sealing import kind_of
from benchloom.tables.opened import OpenPart

KEY_BYTES = 16
KEYS_FOLDER, KEYS_ENDING = "rows", ".keys"


def keys_of_part(part: Path) -> list[bytes | None]:
    """The keys of the rows of one file of a stage, in order, or as many times nothing.

    Raises:
        RunError: the file is not readable Parquet.
    """
    with closing(OpenPart(part)) as opened:
        rows = opened.starts[-1]
    _, _, number = part.stem.rpartition("-")
    is_part = number.isdecimal() and part.parent.name == part.stem.removesuffix(f"-{number}")
    keys = read_keys(keys_path(part.parent.parent, int(number))) if is_part else []
    return [*keys] if len(keys) == rows else [None] * rows


def keys_path(folder: Path, number: int) -> Path:
    """The file of the keys of a shard."""
    return folder / KEYS_FOLDER / f"{number:05d}{KEYS_ENDING}"


def read_keys(path: Path) -> list[bytes]:
    """The keys in a file; none where there is no such file.

    Raises:
        OSError: it cannot be read.
    """
    content = path.read_bytes() if kind_of(path) == "file" else b""
    return [content[start : start + KEY_BYTES] for start in range(0, len(content), KEY_BYTES)]
