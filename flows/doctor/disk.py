"""Room on the disks that are written to."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from flows.doctor.base import Finding, Needs

_GIB = 1 << 30
_LEAST = {"workspace": 2 * _GIB, "temporary files": _GIB // 2}
_SERVES = {
    "workspace": "captures, stages and releases",
    "temporary files": "the search for repeats, tools that are tried out, profiles of the browser",
}


def look(needs: Needs) -> Iterator[Finding]:
    """Free bytes, and whether this user may write, where the workspace is or would be made."""
    temporary = Path(tempfile.gettempdir())
    for name, folder in (("workspace", needs.workspace.absolute()), ("temporary files", temporary)):
        above = next(path for path in (folder, *folder.parents) if path.is_dir())
        free = shutil.disk_usage(above).free
        message, mend = f"{free / _GIB:.1f} GiB free in {above}", None
        if not os.access(above, os.W_OK | os.X_OK):
            message, mend = f"{above} cannot be written by this user", f"chown or chmod {above}"
        elif free < _LEAST[name]:
            mend = "benchloom clean" if name == "workspace" else "export TMPDIR=/with/more/room"
        yield Finding(
            name=f"disk: {name}",
            state="fault" if mend else "ok",
            told=message,
            serves=_SERVES[name],
            mend=mend,
            needed=needs.configured,
        )
