"""A check of the free space on the disks to which benchloom writes."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from flows.doctor.base import Finding, Needs, finding

_GIB = 1 << 30


def look(needs: Needs) -> Iterator[Finding]:
    """Check that the workspace and the temporary folder have space and can be written.

    If a folder does not exist, its nearest existing parent is checked.
    """
    temporary = "the search for duplicates, sandboxed tools, browser profiles"
    for name, folder, least, serves, more_room in (
        (
            "workspace",
            needs.workspace.absolute(),
            2 * _GIB,
            "captures, stages and releases",
            "benchloom clean",
        ),
        (
            "temporary files",
            Path(tempfile.gettempdir()),
            _GIB // 2,
            temporary,
            "export TMPDIR=/with/more/room",
        ),
    ):
        above = next(path for path in (folder, *folder.parents) if path.is_dir())
        free = shutil.disk_usage(above).free
        room, fault, mend = f"{free / _GIB:.1f} GiB free in {above}", None, more_room
        if not os.access(above, os.W_OK | os.X_OK):
            fault, mend = f"{above} cannot be written by this user", f"chown or chmod {above}"
        elif free < least:
            fault = room
        yield finding(
            f"disk: {name}", serves, ok=room, fault=fault, mend=mend, needed=needs.file is not None
        )
