"""Progress on standard error: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType
from typing import Self

_SECONDS_BETWEEN_LINES = 5.0


class Progress:
    """Counts steps of known or unknown total; silent until the first few seconds have passed."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._done = 0
        self._total: int | None = None
        self._last = time.monotonic()
        self._bar = sys.stderr.isatty()
        self._drawn = False

    def start(self, total: int) -> None:
        """Set the number of steps."""
        self._total = total
        self._done = 0

    def advance(self, steps: int = 1) -> None:
        """Count finished steps and show them when it is time."""
        self._done += steps
        now = time.monotonic()
        if self._bar or now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            self._show()

    def _show(self) -> None:
        if not self._bar:
            of_total = f" of {self._total}" if self._total else ""
            sys.stderr.write(f"{self._label}: {self._done}{of_total}\n")
        else:
            width = 30
            filled = width * self._done // self._total if self._total else 0
            bar = "#" * filled + "-" * (width - filled)
            sys.stderr.write(f"\r{self._label} [{bar}] {self._done}/{self._total or '?'}")
            self._drawn = True
        sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn:
            sys.stderr.write("\n")
