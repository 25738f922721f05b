"""This module measures the pace of the machine, the time that a fixed piece of work takes.

The work is done twice a second during a measurement. On a shared machine the same work takes
different times from one minute to the next. Two measurements can be compared if the pace was the
same in both.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles

import msgspec

_PAUSE = 0.5
_OBJECTS = 12_000


class Pace(msgspec.Struct):
    """The deciles of the processor time of the fixed work, in milliseconds.

    The list is empty until the block of `pace` has ended.
    """

    deciles: list[float] = []

    @property
    def mean(self) -> float:
        """The mean of the deciles, which a rare slow moment hardly changes."""
        return sum(self.deciles) / len(self.deciles)

    def __str__(self) -> str:
        """Return the first and the last decile as text."""
        return f"{self.deciles[0]:.2f} to {self.deciles[-1]:.2f} ms"


@contextmanager
def pace() -> Iterator[Pace]:
    """Yield the pace of the machine, which another process measures while the block runs."""
    measured_pace = Pace()
    with tempfile.TemporaryFile("w+") as output:
        beside = subprocess.Popen([sys.executable, "-m", __name__], stdout=output)
        try:
            yield measured_pace
        finally:
            beside.terminate()
            beside.wait()
        output.seek(0)
        durations = [float(line) for line in output] or [_piece()]
        measured_pace.deciles = quantiles([*durations, _piece()], n=10, method="inclusive")


def _piece() -> float:
    """Do the fixed work once, and return its processor time in milliseconds."""
    start = time.process_time()
    {str(number): number for number in range(_OBJECTS)}  # many small objects, as all code makes
    return (time.process_time() - start) * 1000


def _beside() -> None:
    while True:
        sys.stdout.write(f"{_piece():.4f}\n")
        sys.stdout.flush()
        time.sleep(_PAUSE)


if __name__ == "__main__":
    _beside()
