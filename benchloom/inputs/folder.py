"""Files of a folder, links checked, in a stable order."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

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


class FoundFile(NamedTuple):
    """A file below a folder, its place there, and the reason when it must not be read."""

    path: Path
    place: str
    problem: RejectedInputError | None


def iter_files(folder: Path) -> Iterator[FoundFile]:
    """Every file below `folder`, sorted by path."""
    root = folder.resolve()
    top = str(folder)
    for base, names, files in os.walk(top, followlinks=False):
        names.sort()
        below = base[len(top) :].replace(os.sep, "/").strip("/")
        prefix = f"{below}/" if below else ""
        here = Path(base)
        links = [name for name in names if (here / name).is_symlink()]
        for name in sorted([*files, *links]):
            path = here / name
            yield FoundFile(path, prefix + name, _problem(path, root))


def _problem(path: Path, root: Path) -> RejectedInputError | None:
    if path.name in SYSTEM_NAMES or path.name.startswith("._"):
        return RejectedInputError("system_file", "left behind by an operating system")
    if not path.is_symlink():
        return None
    if not path.resolve().is_relative_to(root):
        return RejectedInputError("link_outside", "a link that leaves the input folder")
    if path.is_dir():
        return RejectedInputError("link_to_folder", "read where the folder itself is")
    return None
