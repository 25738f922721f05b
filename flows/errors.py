"""Errors of flows.

BenchloomError (benchloom.core.errors) ├── RunError │   ├── EngineError       no engine is available
to make shards │   ├── WorkerError       two processes died at the same work │   └── MemoryRunError
  this process ran out of memory ├── PublishError          publishing to a target failed; the
release is complete └── AfterReleaseError     a rebuild made its release, but another part of it
failed
"""

import errno
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchloom.core.errors import BenchloomError, RunError


class EngineError(RunError):
    """An engine cannot be reached or used, or is gone; finished shards are preserved."""


AGAIN = "use fewer workers or free memory, and run the same command again to continue"
"""Remedy if memory is exhausted."""
_MEMORY_WORDS = ("can't start new thread", "annot allocate memory", "failed to map segment")
"""Words in the messages of memory faults whose type is not MemoryError."""


def is_memory_fault(error: BaseException) -> bool:
    """Whether an error means that memory ran out."""
    if isinstance(error, MemoryError):  # Arrow's error is a subclass
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    is_other = isinstance(error, (RuntimeError, ImportError))
    return is_other and any(words in str(error) for words in _MEMORY_WORDS)


@dataclass(frozen=True)
class Death:
    """The end of a process: its exit code (negative for a signal), or an out-of-memory error.

    `start` is the error that prevented the process from starting.
    """

    exit_code: int | None = None
    memory: bool = False
    start: str = ""

    def __str__(self) -> str:
        if self.memory:
            return "it ran out of memory"
        if self.exit_code is None:
            return f"it could not be started: {self.start}" if self.start else "it ended"
        if self.exit_code >= 0:
            return f"it ended with exit code {self.exit_code}"
        try:
            name = signal.Signals(-self.exit_code).name
        except ValueError:
            name = f"signal {-self.exit_code}"
        return f"it was ended by {name}"


class WorkerError(RunError):
    """A process died while working on `work`, and so did the process that retried it."""

    def __init__(self, work: str, death: Death | str) -> None:
        super().__init__(f"{work}: two processes died while making it ({death}); {AGAIN}")


class MemoryRunError(RunError):
    """This process ran out of memory while working on `work`."""

    def __init__(self, work: str) -> None:
        super().__init__(f"{work}: out of memory; {AGAIN}")


class PublishError(BenchloomError):
    """Publishing failed for some targets; the message has a line per target.

    Args:
        faults: one line per target.
        exit_code: 1 if every target reported that a gate failed, else 2.
    """

    def __init__(self, faults: Sequence[str], exit_code: int) -> None:
        super().__init__("not published: " + "; ".join(faults))
        self.exit_code = exit_code


class AfterReleaseError(BenchloomError):
    """The release in `release` is built and checked, but the rebuild has `faults`.

    The exit code is that of the most important fault: a failed publication, then a refusal.
    """

    def __init__(self, release: Path, faults: Sequence[BenchloomError]) -> None:
        fault_text = "; ".join(str(fault) for fault in faults)
        super().__init__(f"release {release.name} is made and checked, but: {fault_text}")
        self.release = release
        self.exit_code = min(fault.exit_code for fault in faults)
