"""What runs that are gone left on its way to its place."""

import hashlib
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from benchloom.storage.inputs.own_folders import TEMPORARY

in_use: set[Path] = set()
"""Scratch folders of this process that are no leftovers."""


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove temporaries of runs that are gone; those of living processes stay.

    What a process of another machine was writing it writes again: only the one writer of a
    workspace removes anything, before it has others write.
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
    """Whether something is on its way to its place, or was when its writer was killed."""
    return any(name.startswith(TEMPORARY) for name in path.parts)


@cache
def this_machine() -> str:
    """What the numbers of processes belong to: a machine since it was started, or a container."""
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
