"""Progress of a stage that a command runs: a bar on a terminal, plain lines elsewhere."""

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from benchloom.core.progress import UnderWay, under_way


class Progress:
    """Counts steps of known or unknown total and reports them to the command's listeners."""

    def __init__(self, label: str, unit: str = "") -> None:
        self._label = label
        self._unit = unit
        self._under_way: AbstractContextManager[UnderWay] | None = None
        self._one = UnderWay(label, None, unit)

    def start(self, total: int, unit: str | None = None) -> None:
        """Set the number of steps and the name of their unit."""
        self._one.start(total, unit)

    def advance(self, steps: int = 1) -> None:
        """Count finished steps."""
        self._one.advance(steps)

    def __enter__(self) -> Self:
        self._under_way = under_way(self._label, None, self._unit)
        self._one = self._under_way.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._under_way is not None:
            self._under_way.__exit__(kind, error, trace)
