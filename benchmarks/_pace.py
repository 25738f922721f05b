"""How fast the machine is: the same piece of work, twice a second beside what is measured.

A machine that others share does the same work in different time from one minute to the next.
Figures of two runs compare where it went at the same pace in both.
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
    """Milliseconds of a processor that the piece takes: its deciles, empty until it is over."""

    deciles: list[float] = []

    @property
    def mean(self) -> float:
        """The mean of the deciles: no rare slow moment counts for much."""
        return sum(self.deciles) / len(self.deciles)

    def __str__(self) -> str:
        """From the fast tenth of all moments to the slow one."""
        return f"{self.deciles[0]:.2f} to {self.deciles[-1]:.2f} ms"


@contextmanager
def pace() -> Iterator[Pace]:
    """Yield the time of the piece during the block, measured by a separate process."""
    measured_pace = Pace()
    with tempfile.TemporaryFile("w+") as output:
        beside = subprocess.Popen([sys.executable, "-m", __name__], stdout=output)
        try:
            yield measured_pace
        finally:
            beside.terminate()
            beside.wait()
        output.seek(0)
        taken = [float(line) for line in output] or [_piece()]
        measured_pace.deciles = quantiles([*taken, _piece()], n=10, method="inclusive")


def _piece() -> float:
    """Milliseconds that the piece takes now."""
    start = time.process_time()
    _made()
    return (time.process_time() - start) * 1000


def _made() -> dict[str, int]:
    """Many small objects, as everything here makes them."""
    return {str(number): number for number in range(_OBJECTS)}


def _beside() -> None:
    while True:
        sys.stdout.write(f"{_piece():.4f}\n")
        sys.stdout.flush()
        time.sleep(_PAUSE)


if __name__ == "__main__":
    _beside()
