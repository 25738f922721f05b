"""A check that enough memory is free."""

import os
from collections.abc import Iterator
from pathlib import Path

from flows.doctor.base import Finding, Needs, finding

_GIB = 1 << 30  # a rebuild by one process takes less, Prefect included


def look(needs: Needs) -> Iterator[Finding]:
    """Check how much memory is free, within the limit of the system or of this container."""
    del needs
    free = free_memory()
    if free is not None:
        room = f"{free / _GIB:.1f} GiB free"
        yield finding(
            "memory",
            "rebuild: 1 GiB, and half a GiB for each further worker",
            ok=room,
            fault=None if free >= _GIB else room,
            mend="end other programs, or set workers = 1",
        )


def free_memory() -> int | None:
    """Return the number of free bytes of memory, or None if the system does not report it."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None
    # Memory that caches files counts as free, because programs get it when they need it.
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    control = Path("/sys/fs/cgroup")
    limit, usage = (_lines(control / f"memory.{name}") for name in ("max", "current"))
    if limit and usage and limit[0].isdigit() and usage[0].isdigit():
        free = min(free, max(0, int(limit[0]) - int(usage[0])))
    return free


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []
