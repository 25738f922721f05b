"""The exceptions that flows raise.

BenchloomError (benchloom.core.errors)
├── RunError
│   ├── EngineError       no engine is available to make shards
│   ├── WorkerError       two processes died at the same work
│   └── MemoryRunError    this process ran out of memory
├── PublishError          publishing to a target failed; the release is complete
└── AfterReleaseError     a rebuild made its release, but another part of it failed
"""

import errno
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchloom.core.errors import BenchloomError, RunError


class EngineError(RunError):
    """The engine that makes shards cannot be reached or used; finished shards are preserved."""


AGAIN = "use fewer workers or free memory, and run the same command again to continue"
"""The remedy in messages about exhausted memory."""
_MEMORY_WORDS = ("can't start new thread", "annot allocate memory", "failed to map segment")
"""Words in messages of errors about exhausted memory that are no MemoryError."""


def is_memory_fault(error: BaseException) -> bool:
    """Whether an error means that memory is exhausted, whatever the type of the error."""
    if isinstance(error, MemoryError):  # Arrow's error is a subclass
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    is_other = isinstance(error, (RuntimeError, ImportError))
    return is_other and any(words in str(error) for words in _MEMORY_WORDS)


@dataclass(frozen=True)
class Death:
    """The reason why a process ended, which `str` puts into words.

    `exit_code` is negative if a signal ended the process. `memory` means that the process ran out
    of memory. `start` is the error that prevented the process from starting.
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
    """Publishing failed for some targets; the message lists the fault of each of them.

    Args:
        faults: a text for each target that failed.
        exit_code: 1 if every failed target reported that a gate failed, otherwise 2.
    """

    def __init__(self, faults: Sequence[str], exit_code: int) -> None:
        super().__init__("not published: " + "; ".join(faults))
        self.exit_code = exit_code


class AfterReleaseError(BenchloomError):
    """A rebuild built and checked its release, but something else failed.

    `release` is the folder of the release. The exit code is the smallest one of the `faults`, so a
    failed publication counts more than the refusal of a site.
    """

    def __init__(self, release: Path, faults: Sequence[BenchloomError]) -> None:
        fault_text = "; ".join(str(fault) for fault in faults)
        super().__init__(f"release {release.name} is made and checked, but: {fault_text}")
        self.release = release
        self.exit_code = min(fault.exit_code for fault in faults)
