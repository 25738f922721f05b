"""Progress of a generating run: done, kept, dropped, rejected, spent, remaining, ETA."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchloom.core.progress import UnderWay, under_way

_SECONDS_BETWEEN_SUMS = 1.0


class GenerateProgress:
    """Counts rows and reports them to the listeners of the command.

    Args:
        total: rows to be made, as far as they can be counted beforehand.

    `spent` returns the dollars spent so far; it is None for a run that cannot spend. It is
    called now and then in the thread that counts rows, because its store can be used only in
    that thread and during the run.
    """

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self.spent: Callable[[], float] | None = None
        self.done = self.kept = self.dropped = self.rejected = 0
        self._skipped = 0
        self._start = self._asked = time.monotonic()
        self._spent = 0.0
        self._shown: UnderWay | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Display the progress while the block makes the rows."""
        with under_way(self._label, self._total, "rows") as self._shown:
            self._shown.detail = lambda: self.line(time.monotonic())
            yield

    def skip(self, rows: int) -> None:
        """Count the rows of a chunk that an earlier run made."""
        self.done += rows
        self._skipped += rows
        self._count(rows)

    def row(self, *, kept: bool | None) -> None:
        """Count one finished row; `kept` is None for a rejected row."""
        self.done += 1
        if kept is None:
            self.rejected += 1
        elif kept:
            self.kept += 1
        else:
            self.dropped += 1
        self._count(1)

    def _count(self, rows: int) -> None:
        now = time.monotonic()
        if self.spent is not None and now - self._asked >= _SECONDS_BETWEEN_SUMS:
            self._asked, self._spent = now, self.spent()
        if self._shown is not None:
            self._shown.advance(rows)

    def line(self, now: float) -> str:
        """The state in one line."""
        remaining = max(self._total - self.done, 0)
        rate = (self.done - self._skipped) / max(now - self._start, 1e-9)
        eta = f"{remaining / rate:.0f} s" if rate > 0 else "unknown"
        spent = "" if self.spent is None else f", spent ${self._spent:.4f}"
        return (
            f"{self._label}: {self.done} done ({self.kept} kept, {self.dropped} dropped, "
            f"{self.rejected} rejected){spent}, {remaining} remaining, ETA {eta}"
        )
