"""Performance as ratios measured in one run; `make bench` prints them.

A module offers `ratios()`; its name is what `python -m benchmarks NAME` takes. What takes an
hour is a command of its own: `python -m benchmarks.commanded COUNT`.
"""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind


@runtime_checkable
class Benchmark(Protocol):
    """Interface of the modules of this folder, which measure figures."""

    def ratios(self) -> list[tuple[str, float, str]]:
        """Return each figure: what it measures, its value, and its target."""
        ...


BENCHMARKS = Kind(
    "benchmark", __name__, Benchmark, beside=("captured_worlds", "commanded", "worlds")
)
