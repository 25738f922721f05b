"""Write files that are either complete or absent, by renaming finished temporary files.

Temporary files of runs that have ended are removed.
"""

import hashlib
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.inputs.objects import TEMPORARY

in_use: set[Path] = set()
"""Temporary folders that this process uses. `remove_leftovers` does not remove them."""


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove temporary files in a folder, except those of running processes of this machine.

    If `name` is set, only temporary files whose names end with it are removed. Only the single
    writer of a workspace may call this, before it lets other processes write.
    """
    for path in folder.glob(f"{TEMPORARY}*{name}"):
        owner, _, machine = path.name[len(TEMPORARY) :].split("-", 1)[0].partition("@")
        if machine not in {"", this_machine()}:
            owner = ""
        if owner.isdigit() and int(owner) != os.getpid() and _is_alive(int(owner)):
            continue
        if path in in_use:
            continue
        remove_path(path, ignore_errors=True)


def remove_path(path: Path, *, ignore_errors: bool = False) -> None:
    """Remove a file, a link, or a folder with its contents."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=ignore_errors)
    else:
        path.unlink(missing_ok=True)


def is_temporary(path: Path) -> bool:
    """Return whether a path is a temporary file of any run, or is in a temporary folder."""
    return any(name.startswith(TEMPORARY) for name in path.parts)


@cache
def this_machine() -> str:
    """Return an id of this machine since its last start. It makes process numbers unique."""
    identifiers = [os.uname().nodename]
    for path in (Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")):
        with suppress(OSError):
            identifiers.append(str(path.readlink()) if path.is_symlink() else path.read_text())
    return hashlib.sha256("\0".join(identifiers).encode()).hexdigest()[:8]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class TemporaryFile:
    """A file with a temporary name, in the folder of the final file.

    `commit` renames it to the final file.
    """

    def __init__(self, final: Path) -> None:
        self.final = final
        final.parent.mkdir(parents=True, exist_ok=True)
        writer = f"{os.getpid()}@{this_machine()}-{threading.get_native_id()}"
        self.path = final.parent / f"{TEMPORARY}{writer}-{final.name}"

    def commit(self) -> None:
        """Flush the file to disk and rename it to its final path."""
        with self.path.open("rb") as written:
            os.fsync(written.fileno())
        self.path.replace(self.final)
        sync_folder(self.final.parent)

    def discard(self) -> None:
        """Remove the unfinished file."""
        self.path.unlink(missing_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Inside the `with` block, add the path to errors of the system that do not name a file.

    The error of a full disk is an example.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def read_again(path: Path, digest: str) -> bytes:
    """Read a file that this run wrote for other processes.

    Raises RunError if the file is missing or its SHA-256 digest differs.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; run again") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise RunError(f"{path} was changed since the run wrote it; run again")
    return content


def write_file(path: Path, content: bytes) -> None:
    """Write a file atomically. If the disk is full, the old file remains."""
    temporary = TemporaryFile(path)
    try:
        with naming(path):
            temporary.path.write_bytes(content)
        temporary.commit()
    except OSError:
        temporary.discard()
        raise


def write_json(path: Path, value: object, *, indent: int = 1) -> None:
    """Write a value as indented JSON to a file, atomically."""
    write_file(path, msgspec.json.format(msgspec.json.encode(value), indent=indent) + b"\n")


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that a rename survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
