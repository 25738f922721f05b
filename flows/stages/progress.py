"""Progress on standard error: rich's bar on a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_SECONDS_BETWEEN_LINES = 5.0
_SECONDS_BETWEEN_FRAMES = 0.1


class Progress:
    """Counts steps of known or unknown total; lines are silent for the first few seconds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._done = 0
        self._total: int | None = None
        self._last = time.monotonic()
        self._bar: Bar | None = None

    def start(self, total: int) -> None:
        """Set the number of steps."""
        self._total = total
        self._done = 0

    def advance(self, steps: int = 1) -> None:
        """Count finished steps and show them when it is time."""
        self._done += steps
        now = time.monotonic()
        between = _SECONDS_BETWEEN_LINES if self._bar is None else _SECONDS_BETWEEN_FRAMES
        if now - self._last >= between:
            self._last = now
            self._show()

    def _show(self) -> None:
        if self._bar is not None:
            (task,) = self._bar.task_ids
            self._bar.update(task, completed=self._done, total=self._total, refresh=True)
            return
        of_total = f" of {self._total}" if self._total else ""
        sys.stderr.write(f"{self._label}: {self._done}{of_total}\n")
        sys.stderr.flush()

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._bar = _open_bar(self._label)
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._show()
            self._bar.stop()


def _open_bar(label: str) -> "Bar":
    """A bar that draws when it is told to: a thread of its own would disturb forked workers."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(30),
        MofNCompleteColumn(),
        TimeLeft(),
    )
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
    bar.add_task(label, total=None)
    return bar
