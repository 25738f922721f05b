"""Record the digests of files (seals), and report files that differ from these records.

A digest is reused in this process while the file's inode, size and times are unchanged.
"""

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
_SETTLED_NS = 100_000_000
"""A file that changed less than this many nanoseconds ago may change again without a new time
stamp."""
_AT_ONCE = 1024 * 1024
_HEAD = 4
Signature = tuple[int, int, int, int, int]
_digests: dict[str, tuple[Signature, str, bytes]] = {}
_heads: dict[bytes, bytes] = {}  # Shared objects: most files begin with the same bytes.


class SealedFile(msgspec.Struct, frozen=True):
    """A record of a file's content: its path with forward slashes, size in bytes, and SHA-256."""

    path: str
    bytes: int
    sha256: str


def file_digest(path: Path | str) -> str:
    """Return the SHA-256 digest of a file as hexadecimal text."""
    # For small files, making a Path and a file object takes longer than reading.
    absolute_path = _absolute(path)
    cache_entry = _cached_digest(absolute_path)
    if cache_entry is not None:
        return cache_entry[1]
    file = _open_file(absolute_path)
    try:
        status = os.fstat(file)
        read = hashlib.sha256()
        head = piece = os.read(file, _AT_ONCE)
        while piece:
            read.update(piece)
            piece = os.read(file, _AT_ONCE)
        digest = read.hexdigest()
    finally:
        os.close(file)
    if is_settled(status):
        head = head[:_HEAD]
        _digests[absolute_path] = (signature_of(status), digest, _heads.setdefault(head, head))
    return digest


def first_bytes(path: str) -> bytes:
    """Return the first four bytes of a file, or all bytes of a shorter file."""
    absolute_path = _absolute(path)
    cache_entry = _cached_digest(absolute_path)
    if cache_entry is not None:
        return cache_entry[2]
    file = _open_file(absolute_path)
    try:
        return os.read(file, _HEAD)
    finally:
        os.close(file)


def _open_file(path: str) -> int:
    # A pipe could block forever.
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "Not a file", path)
    return file


@contextmanager
def renaming(source: Path, target: Path) -> Iterator[None]:
    """Keep the cached digest of a file that is renamed or linked inside the `with` block.

    Renaming changes only ctime. If mtime changed too, the file was written, and the cached digest
    is dropped.
    """
    cache_entry = _digests.get(_absolute(source))
    is_known = cache_entry is not None and cache_entry[0] == signature_of(source.stat())
    yield
    signature = signature_of(target.stat())
    if cache_entry is not None and is_known and signature[:-1] == cache_entry[0][:-1]:
        _digests[_absolute(target)] = (signature, *cache_entry[1:])


def _cached_digest(path: str) -> tuple[Signature, str, bytes] | None:
    cache_entry = _digests.get(path)
    if cache_entry is None or cache_entry[0] != signature_of(os.stat(path)):  # noqa: PTH116  as in `file_digest`
        return None
    return cache_entry


def _absolute(path: Path | str) -> str:
    text = os.fspath(path)
    return text if text.startswith(os.sep) else os.path.abspath(text)  # noqa: PTH100  as above


def signature_of(status: os.stat_result) -> Signature:
    """Return the stat fields that change when a file or folder is modified."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def is_settled(status: os.stat_result) -> bool:
    """Return whether a file is old enough that a later change must also change its stat fields."""
    return time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _SETTLED_NS


class Decoded(Generic[T]):
    """A cache from bytes to the value decoded from them. When it is full, the oldest is dropped."""

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes
        self._values: dict[bytes, tuple[int, T]] = {}

    def find(self, content: bytes) -> T | None:
        """Return the value that was decoded from these bytes, or None if it is not cached."""
        cache_entry = self._values.get(hashlib.sha256(content).digest())
        return None if cache_entry is None else cache_entry[1]

    def add(self, content: bytes, value: T) -> None:
        """Store the value that was decoded from these bytes."""
        digest = hashlib.sha256(content).digest()
        if digest in self._values:
            return
        self._values[digest] = (len(content), value)
        self._left -= len(content)
        while self._left < 0:
            size, _ = self._values.pop(next(iter(self._values)))
            self._left += size

    def values(self) -> list[T]:
        """Return all cached values."""
        return [value for _, value in self._values.values()]


def seal_files(folder: Path, paths: Iterable[Path]) -> tuple[SealedFile, ...]:
    """Record the digests of some files of a folder, sorted by path."""
    return tuple(
        SealedFile(path.relative_to(folder).as_posix(), path.stat().st_size, file_digest(path))
        for path in sorted(paths, key=lambda path: path.relative_to(folder).as_posix())
    )


def files_in(folder: Path, *, apart: Iterable[str] = ()) -> list[Path]:
    """List every file below a folder, except in the top-level entries that `apart` names."""
    left_out = frozenset(apart)
    files: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.name in left_out:
            continue
        if entry.is_dir() and not entry.is_symlink():
            files += files_in(entry)
        else:
            files.append(entry)
    return files


def changed_files(folder: Path, files: Iterable[SealedFile]) -> Iterator[tuple[str, str]]:
    """Yield (path, fault) for every recorded file that is missing or has changed."""
    for file in files:
        fault = fault_of(folder, file)
        if fault is not None:
            yield file.path, fault


def fault_of(folder: Path, file: SealedFile) -> str | None:
    """Return how a file differs from its record, or None if it does not differ."""
    path = folder / file.path
    kind = kind_of(path)
    if kind is None:
        return "is missing"
    if kind != "file":
        return f"is a {kind}, not a file"
    try:
        size = path.stat().st_size
        if size != file.bytes:
            return f"was changed: it has {size} bytes instead of {file.bytes}"
        if file_digest(path) != file.sha256:
            return "was changed: its bytes differ from its sha256"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return None


def unknown_entries(
    folder: Path, expected_files: Iterable[str], *, apart: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (path, kind) of each entry below a folder that is not expected.

    Expected are the files in `expected_files` and the folders that contain them. Links are never
    followed, and top-level names in `apart` are ignored.
    """
    files = frozenset(expected_files)
    folders = {parent.as_posix() for path in files for parent in Path(path).parents}
    left_out = frozenset(apart)
    for entry in sorted(folder.iterdir()):
        if entry.name not in left_out:
            yield from _unknown(folder, entry, files, folders)


def _unknown(
    root: Path, entry: Path, files: frozenset[str], folders: set[str]
) -> Iterator[tuple[str, str]]:
    name = entry.relative_to(root).as_posix()
    kind = kind_of(entry) or "file"
    if kind == "folder" and name in folders:
        for inner in sorted(entry.iterdir()):
            yield from _unknown(root, inner, files, folders)
    elif kind != "file" or name not in files:
        yield name, kind


def kind_of(path: Path) -> str | None:
    """Return the kind of a path: "link", "folder", "file" or "special file".

    Returns None if nothing exists at the path.
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "special file"
