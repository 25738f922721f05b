"""Performance as ratios measured in one run; `make bench` prints them.

A module offers `ratios()`; `python -m benchmarks NAME` runs one module. Measurements that take an
hour are separate commands, such as `python -m benchmarks.commanded COUNT`.
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
