"""Progress of a generating run: done, kept, dropped, rejected, spent, remaining, ETA."""

import sys
import time
from collections.abc import Callable

from benchloom.stages import ShardMark

_SECONDS_BETWEEN_LINES = 5.0


class GenerateProgress:
    """Counts rows and tells the state on standard error every few seconds.

    Args:
        total: rows to be made, as far as they can be counted beforehand.

    `spent` tells the dollars spent until now; None for a run that cannot spend.
    """

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self.spent: Callable[[], float] | None = None
        self.done = self.kept = self.dropped = self.rejected = 0
        self._skipped = 0
        self._start = self._last = time.monotonic()

    def skip(self, mark: ShardMark) -> None:
        """Count a chunk that an earlier run made."""
        self.done += mark.objects
        self._skipped += mark.objects

    def row(self, *, kept: bool | None) -> None:
        """Count one finished row; None for a rejected one."""
        self.done += 1
        if kept is None:
            self.rejected += 1
        elif kept:
            self.kept += 1
        else:
            self.dropped += 1
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            sys.stderr.write(self.line(now) + "\n")

    def line(self, now: float) -> str:
        """The state in one line."""
        remaining = max(self._total - self.done, 0)
        rate = (self.done - self._skipped) / max(now - self._start, 1e-9)
        eta = f"{remaining / rate:.0f} s" if rate > 0 else "unknown"
        spent = "" if self.spent is None else f", spent ${self.spent():.4f}"
        return (
            f"{self._label}: {self.done} done ({self.kept} kept, {self.dropped} dropped, "
            f"{self.rejected} rejected){spent}, {remaining} remaining, ETA {eta}"
        )
