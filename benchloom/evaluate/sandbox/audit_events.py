"""Find out which forbidden operation a tool attempted, from the interpreter's audit events.

The sandbox itself refuses the operation; this module only provides its name for the error.
"""

import os
import sys
from typing import Any

_WORDS = {
    "os.fork": "process",
    "os.forkpty": "process",
    "os.posix_spawn": "process",
    "os.spawn": "process",
    "os.exec": "process",
    "os.system": "process",
    "pty.spawn": "process",
    "subprocess.Popen": "process",
    "os.kill": "signal",
    "os.killpg": "signal",
    "signal.pthread_kill": "signal",
    "_thread.start_new_thread": "thread",
}
_FILES = ("file_read", "file_written")
_NO_THREAD = "can't start new thread"
_LOOKS = frozenset({"os.chdir", "os.listdir", "os.scandir"})
_CHANGES = frozenset(
    {
        "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir",
        "os.symlink", "os.truncate", "os.utime",
    }
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Watch:
    """Records the last attempt of this process at a forbidden operation.

    The hook that records attempts cannot be removed until the process ends.
    """

    def __init__(self) -> None:
        self.tried = ""
        sys.addaudithook(self._audit)

    def kind_of(self, error: BaseException | None) -> str:
        """Return the kind of forbidden operation that caused an error.

        Returns an empty text if the error has another cause.
        """
        if isinstance(error, RecursionError):
            return "recursion"
        if isinstance(error, RuntimeError) and str(error).startswith(_NO_THREAD):
            return "thread"  # some versions of Python have no audit event for threads
        return self.tried if isinstance(error, OSError) or self.tried not in _FILES else ""

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith("socket."):
            self.tried = "network"
        elif event in _WORDS:
            self.tried = _WORDS[event]
        elif self.tried in {"", *_FILES}:  # opening a socket or process also reads files
            self.tried = self._of_files(event, arguments) or self.tried

    def _of_files(self, event: str, arguments: tuple[Any, ...]) -> str:
        if event == "open":
            flags = arguments[-1] if isinstance(arguments[-1], int) else 0
            return _FILES[1] if flags & _WRITING else _FILES[0]
        if event in _CHANGES:
            return _FILES[1]
        return _FILES[0] if event in _LOOKS else ""
