"""Find and remove the temporary files of runs that have ended."""

import hashlib
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from benchloom.storage.inputs.own_folders import TEMPORARY

in_use: set[Path] = set()
"""Scratch folders of this process."""


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove the temporary files of ended runs; those of running processes are kept.

    Those of other machines are removed too, and written again. So only the single writer of a
    workspace may call this, before it lets other processes write.
    """
    for path in folder.glob(f"{TEMPORARY}*{name}"):
        owner, _, machine = path.name[len(TEMPORARY) :].split("-", 1)[0].partition("@")
        if machine not in {"", this_machine()}:
            owner = ""
        if owner.isdigit() and int(owner) != os.getpid() and _is_alive(int(owner)):
            continue
        if path in in_use:
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def is_temporary(path: Path) -> bool:
    """Whether a path is a temporary file, or is in a temporary folder, of any run."""
    return any(name.startswith(TEMPORARY) for name in path.parts)


@cache
def this_machine() -> str:
    """Return an identifier of the boot of a machine, or the container: process numbers' scope."""
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
