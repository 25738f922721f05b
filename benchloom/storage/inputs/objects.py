"""Define the objects that a command reads (files and archive members), and limits for reading."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import Capture

MIB = 1024 * 1024
MEMBER = "!"
"""In a `source_uri`, this character separates an archive from its member."""


class InputLimits(msgspec.Struct, frozen=True):
    """Limits that keep a single hostile file from exhausting the machine.

    No object may be larger than `object_bytes`. A member of more than `ratio_floor` bytes may be at
    most `ratio` times as large as its compressed form.
    """

    object_bytes: int = 64 * MIB
    ratio: int = 200
    ratio_floor: int = 8 * MIB


class SourceObject(msgspec.Struct, frozen=True, gc=False):
    """A file or archive member: its name, its size, and a function that reads it.

    If the object must not be read, `problem` says why. If it is in a web archive, `capture`
    describes its record in the archive.
    """

    source_uri: str
    size: int
    reader: Callable[[], bytes]
    problem: RejectedInputError | None = None
    capture: Capture | None = None

    def read(self) -> bytes:
        """Return the object's bytes. Raises its `problem` if it must not be read."""
        if self.problem is not None:
            raise self.problem
        return self.reader()


def unreadable(reason: str, message: str) -> Callable[[], bytes]:
    """Return a function that raises RejectedInputError, as the reader of an unreadable object."""

    def refuse() -> bytes:
        raise RejectedInputError(reason, message)

    return refuse


def refused(
    source_uri: str, problem: RejectedInputError, capture: Capture | None = None
) -> SourceObject:
    """Return an object that must not be read, because of `problem`."""
    reader = unreadable(problem.reason, problem.message)
    return SourceObject(source_uri, 0, reader, problem, capture)


def readable_name(name: str) -> str:
    """Return a file name as valid Unicode. Bytes that are not UTF-8 are replaced by escapes."""
    return name.encode("utf-8", "backslashreplace").decode()


TEMPORARY = ".tmp-"
"""Names of unfinished files and folders begin with this prefix."""
_own: ContextVar[frozenset[str]] = ContextVar("own_folders", default=frozenset())
"""Real paths of the folders into which this run writes."""


@contextmanager
def exclude_folders(*folders: Path) -> Iterator[None]:
    """Inside the `with` block, exclude these folders from every list of input files."""
    token = _own.set(_own.get() | {os.path.realpath(folder) for folder in folders})
    try:
        yield
    finally:
        _own.reset(token)


def is_own(entry: os.DirEntry[str]) -> bool:
    """Return whether a folder entry is unfinished output, or a folder that this run writes to."""
    if entry.name.startswith(TEMPORARY):
        return True
    own = _own.get()
    # Compares names first: resolving the path of every folder would be slow.
    return any(path.endswith(f"/{entry.name}") for path in own) and (
        os.path.realpath(entry.path) in own
    )


def refuse_own(inputs: Iterable[Path]) -> None:
    """Raise RunError if an input is a folder into which this run writes."""
    own = _own.get()
    for path in inputs if own else ():
        if os.path.realpath(path) in own:
            raise RunError(
                f"{path} is both an input and a folder that this run writes to; "
                "choose another folder for --out or --workspace"
            )


SYSTEM_NAMES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def read_file(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file. Raises RejectedInputError if it cannot be read."""
    try:
        if not path.is_file():
            raise RejectedInputError("not_a_file", "neither a regular file nor a link to one")
        if path.stat().st_size > limit:
            raise RejectedInputError(
                "too_large", f"the file has {path.stat().st_size} bytes; the limit is {limit}"
            )
        return path.read_bytes()
    except OSError as error:
        raise RejectedInputError("unreadable", error.strerror or type(error).__name__) from error


def refuse_missing(path: Path) -> None:
    """Raise RunError if nothing exists at this path."""
    if not path.exists():
        raise RunError(f"{path}: no such file or folder; check the spelling")


def refuse_no_file(path: Path) -> None:
    """Raise RunError if an input does not exist or is no regular file. A pipe might have no end."""
    refuse_missing(path)
    if not path.is_file():
        raise RunError(f"{path} is neither a file nor a folder; copy its content to a file")


def real_path(path: Path | str) -> Path:
    """Return a path with all links resolved, except a circular link, which remains in the path.

    `Path.resolve` may raise an error for a circular link.
    """
    return Path(os.path.realpath(path))


def file_object(path: str, source_uri: str, limits: InputLimits) -> SourceObject:
    """Return a file as a single input object, without looking for archive members in it."""
    try:
        status = os.stat(path)  # noqa: PTH116  for many files, making a Path takes as long as the stat
    except OSError:
        status = None
    size = status.st_size if status is not None and stat.S_ISREG(status.st_mode) else 0
    return SourceObject(source_uri, size, lambda: read_file(Path(path), limits.object_bytes))


class FolderFile(NamedTuple):
    """A file below a folder. If it must not be read, `problem` says why.

    `path` is text, because a folder may contain millions of files. `is_file` is also true for a
    link to a regular file.
    """

    path: str
    relative_path: str
    problem: RejectedInputError | None
    is_file: bool


def iter_files(folder: Path, root: Path | None = None) -> Iterator[FolderFile]:
    """Yield every file below `folder`, sorted by path, except files that this run writes.

    A link to a path outside `root` gets a `problem`, so that it is not read.
    """
    yield from _below(str(folder), "", real_path(root or folder))


def _below(folder: str, prefix: str, root: Path) -> Iterator[FolderFile]:
    try:
        with os.scandir(folder) as scan:
            foreign = (entry for entry in scan if not is_own(entry))
            entries = sorted(foreign, key=lambda entry: entry.name)
    except OSError:  # an unreadable folder counts as empty
        return
    folders: list[os.DirEntry[str]] = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry)
        else:
            problem = problem_of(entry.name, entry.path, root, is_link=entry.is_symlink())
            yield FolderFile(entry.path, prefix + entry.name, problem, _is_file(entry))
    for entry in folders:
        yield from _below(entry.path, f"{prefix}{entry.name}/", root)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a circular link
        return False


def problem_of(name: str, path: str, root: Path, *, is_link: bool) -> RejectedInputError | None:
    """Return why a file must not be read, because of its name or its link, or None."""
    if name in SYSTEM_NAMES or name.startswith("._"):
        return RejectedInputError("system_file", "left behind by an operating system")
    if not is_link:
        return None
    if not real_path(path).is_relative_to(root):
        return RejectedInputError("link_outside", "a link that leaves the input folder")
    if Path(path).is_dir():
        return RejectedInputError("link_to_folder", "the folder is read at its own path")
    return None
