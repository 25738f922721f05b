"""Places to publish to: known and, where it is asked for, written to."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import BenchloomError, RunError
from benchloom.release.publishing import open_target
from flows.configuration.faults import Fault
from flows.configuration.file import SoundPart

_KEY = ("publish", "targets")


def target_faults(part: SoundPart, base: Path, *, online: bool) -> Iterator[Fault]:
    """Targets that nothing can be published to.

    With `online` each is asked whether it can be written; nothing but what is configured is asked,
    and nothing stays there.
    """
    for name, address in zip(
        part.configuration.publish.targets, part.configuration.targets(base), strict=True
    ):
        try:
            scheme, _, rest = address.rpartition("://")
            if scheme in {"", "file"} and (fault := _folder_fault(Path(rest))):
                raise RunError(fault)
            if scheme in {"s3", "s3a"} and not rest.strip("/"):
                raise RunError(f"{address}: names no bucket; write {scheme}://BUCKET/FOLDER")
            target = open_target(address)
            if online:
                target.try_out()
        except (BenchloomError, OSError) as error:
            message = str(error)
            if "HF_TOKEN to a token" in message and os.environ.get("PREFECT_API_URL"):
                continue  # a configured server may hold it in a block, which only a run looks at
            lacking = "HF_TOKEN to a token" in message or "install" in message.lower()
            yield part.located(Fault(f"publish.targets: {message}", _KEY, outside=lacking), name)


def _folder_fault(folder: Path) -> str | None:
    """Why a folder cannot be made or written, as far as can be seen without trying it."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        return f"{folder}: {above} is a file, not a folder"
    if not os.access(above, os.W_OK | os.X_OK):
        return f"{folder}: {above} cannot be written by this user"
    return None
