"""Checks the table [publish]: a release can be published to each target."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchloom.core.errors import BenchloomError, RunError
from benchloom.release.publication import open_target
from flows.configuration.checks import CheckContext
from flows.configuration.faults import Problem


def problems(context: CheckContext) -> Iterator[Problem]:
    """Yield a problem for each target to which no release can be published.

    With `online`, each target is also tested with a temporary file or a request.
    """
    configuration, base, online = context
    targets = zip(configuration.publish.targets, configuration.targets(base), strict=True)
    for name, address in targets:
        try:
            _try_target(address, online=online)
        except (BenchloomError, OSError) as error:
            message = str(error)
            if isinstance(error, OSError):
                message = f"{name} cannot be reached: {error.strerror or error}; check the address"
            lacks_token = "HF_TOKEN to a token" in message
            if lacks_token and os.environ.get("PREFECT_API_URL"):
                continue  # a block of the Prefect server may store the token
            outside = lacks_token or "install" in message.lower()
            yield Problem("publish.targets", message, name, outside=outside)


def _try_target(address: str, *, online: bool) -> None:
    scheme, _, path = address.rpartition("://")
    if scheme in {"", "file"}:
        _check_folder(Path(path))
    target = open_target(address)
    if online:
        target.try_out()


def _check_folder(folder: Path) -> None:
    """Raise if a folder cannot be created or written; nothing is written for this check."""
    above = next(path for path in (folder, *folder.parents) if path.exists())
    if not above.is_dir():
        raise RunError(f"{folder}: {above} is a file, not a folder; choose another folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise RunError(f"{folder}: {above} cannot be written by this user; change its permissions")
