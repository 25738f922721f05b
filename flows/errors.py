"""Faults of composed runs.

BenchloomError (benchloom.errors)
├── RunError
│   └── EngineError       nobody is there who could make shards as they are made here
├── PublishError          a target did not take the release; the release itself is made
└── AfterReleaseError     a rebuild made its release, and something beside it went wrong
"""

from collections.abc import Sequence
from pathlib import Path

from benchloom.errors import BenchloomError, RunError


class EngineError(RunError):
    """An engine that cannot be reached or used, or is gone; what was made is kept."""


class PublishError(BenchloomError):
    """Targets that failed, a line each.

    Args:
        faults: one line per target.
        exit_code: 1 when every target said that a gate does not hold, else 2.
    """

    def __init__(self, faults: Sequence[str], exit_code: int) -> None:
        super().__init__("not published: " + "; ".join(faults))
        self.exit_code = exit_code


class AfterReleaseError(BenchloomError):
    """The release in `release` is made and checked; `faults` happened before or after it.

    The exit code is that of the fault that counts most: a failed publication, then a refusal.
    """

    def __init__(self, release: Path, faults: Sequence[BenchloomError]) -> None:
        told = "; ".join(str(fault) for fault in faults)
        super().__init__(f"release {release.name} is made and checked, but: {told}")
        self.release = release
        self.exit_code = min(fault.exit_code for fault in faults)
