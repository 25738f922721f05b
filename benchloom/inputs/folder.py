"""Files of a folder, links checked, in a stable order."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchloom.errors import RejectedInputError, RunError
from benchloom.inputs.objects import InputLimits, SourceObject

SYSTEM_NAMES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def read_file(path: Path, limit: int) -> bytes:
    """The bytes of a regular file.

    Raises:
        RejectedInputError: the file is larger than `limit`, not regular, or cannot be read.
    """
    try:
        if not path.is_file():
            raise RejectedInputError("not_a_file", "neither a regular file nor a link to one")
        if path.stat().st_size > limit:
            raise RejectedInputError("too_large", f"{path.stat().st_size} bytes, limit {limit}")
        return path.read_bytes()
    except OSError as error:
        raise RejectedInputError("unreadable", error.strerror or type(error).__name__) from error


def refuse_no_file(path: Path) -> None:
    """Refuse an input that is named and is no file.

    Raises:
        RunError: nothing is there, or a pipe, which may have no end and is gone once it is read.
    """
    if not path.exists():
        raise RunError(f"{path}: no such file or folder")
    if not path.is_file():
        raise RunError(f"{path}: neither a file nor a folder")


def file_object(path: Path, source_uri: str, limits: InputLimits) -> SourceObject:
    """A single file as an object."""
    size = path.stat().st_size if path.is_file() else 0
    return SourceObject(source_uri, size, lambda: read_file(path, limits.object_bytes))


def iter_files(folder: Path) -> Iterator[tuple[Path, RejectedInputError | None]]:
    """Every file below `folder`, sorted by path, with the reason when it must not be read."""
    root = folder.resolve()
    for base, names, files in os.walk(folder, followlinks=False):
        names.sort()
        for name in sorted([*files, *(n for n in names if (Path(base) / n).is_symlink())]):
            path = Path(base) / name
            problem = None
            if name in SYSTEM_NAMES or name.startswith("._"):
                problem = RejectedInputError("system_file", "left behind by an operating system")
            elif path.is_symlink() and not path.resolve().is_relative_to(root):
                problem = RejectedInputError("link_outside", "a link that leaves the input folder")
            elif path.is_symlink() and path.is_dir():
                problem = RejectedInputError("link_to_folder", "read where the folder itself is")
            yield path, problem
