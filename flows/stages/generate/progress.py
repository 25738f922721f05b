"""Progress of a generating run: done, kept, dropped, rejected, spent, remaining, ETA."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchloom.core.progress import UnderWay, under_way
from benchloom.core.records import Rejected
from prompts.results.rows import Row

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
        self.done = self.accepted = self.dropped = self.rejected = 0
        self._start = self._asked = time.monotonic()
        self._spent = 0.0
        self._shown: UnderWay | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Display the progress while the block makes the rows."""
        with under_way(self._label, self._total, "rows") as self._shown:
            self._shown.detail = lambda: self.line(time.monotonic())
            yield

    def count(self, row: Row) -> None:
        """Count one finished row."""
        self.done += 1
        if isinstance(row, Rejected):
            self.rejected += 1
        elif row.kept:
            self.accepted += 1
        else:
            self.dropped += 1
        now = time.monotonic()
        if self.spent is not None and now - self._asked >= _SECONDS_BETWEEN_SUMS:
            self._asked, self._spent = now, self.spent()
        if self._shown is not None:
            self._shown.advance()

    def line(self, now: float) -> str:
        """The state in one line."""
        remaining = max(self._total - self.done, 0)
        rate = self.done / max(now - self._start, 1e-9)
        eta = f"{remaining / rate:.0f} s" if rate > 0 else "unknown"
        spent = "" if self.spent is None else f", spent ${self._spent:.4f}"
        return (
            f"{self._label}: {self.done} done ({self.accepted} kept, {self.dropped} dropped, "
            f"{self.rejected} rejected){spent}, {remaining} remaining, ETA {eta}"
        )
