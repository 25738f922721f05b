"""This module sets defaults for Prefect; it must be imported before Prefect itself.

Settings from the environment override these defaults. With the defaults, Prefect sends nothing out
of the machine: telemetry is off, and without a configured server a server is started on loopback.
Runs also write nothing into the user's home: a user without the folder `.prefect` gets a temporary
folder.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from flows.console.output import verbosity

_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # Slow machines need more than the default 20 seconds to start the server.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "benchloom",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
}


_LEVEL = "PREFECT_LOGGING_LEVEL"
_CONSOLE = "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"
_SILENT = "CRITICAL"
_QUIET = {
    _LEVEL: "WARNING",
    # Logs of runs are for Prefect's pages; the terminal shows our own lines.
    "PREFECT_LOGGING_LOGGERS_PREFECT_FLOW_RUNS_LEVEL": "INFO",
    _CONSOLE: _SILENT,
}


_HOME = "PREFECT_HOME"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def apply() -> None:
    """Set each default for Prefect in the environment, unless the environment has a value."""
    quiet = {} if verbosity.verbose or _LEVEL in os.environ else _QUIET
    for name, value in {**_DEFAULTS, **quiet}.items():
        os.environ.setdefault(name, value)
    if _HOME not in os.environ and not _has_home():
        with suppress(OSError):  # then Prefect reports the folder that it cannot write
            os.environ[_HOME] = _temporary_home()


def is_quiet() -> bool:
    """Whether Prefect's output is hidden, because the user has not chosen a log level."""
    return os.environ.get(_CONSOLE) == _SILENT


def _has_home() -> bool:
    """Whether the user has a folder `.prefect` at home that can be written."""
    try:
        folder = Path.home() / ".prefect"
    except RuntimeError:
        return False
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _temporary_home() -> str:
    """Create and return a temporary folder for Prefect that only this user can read.

    All runs of the user share the folder, unless another user has taken its name.
    """
    import tempfile

    home = Path(tempfile.gettempdir()) / f"benchloom-prefect-{os.getuid()}"
    with suppress(FileExistsError):
        home.mkdir(mode=stat.S_IRWXU)
    folder_stat = home.lstat()
    is_ours = stat.S_ISDIR(folder_stat.st_mode) and folder_stat.st_uid == os.getuid()
    # Another user may have created a folder of this name.
    if is_ours and not folder_stat.st_mode & _OTHERS:
        return str(home)
    return tempfile.mkdtemp(prefix=home.name)


apply()
