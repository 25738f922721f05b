"""Performance measurements, mostly as ratios, which hardly depend on the machine.

`make bench` runs the function `ratios` of every module here, and `python -m benchmarks NAME` that
of one module. Measurements that take an hour are separate commands, such as `python -m
benchmarks.commanded COUNT`.
"""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind


@runtime_checkable
class Benchmark(Protocol):
    """The interface of the modules of this folder, which measure figures of performance."""

    def ratios(self) -> list[tuple[str, float, str]]:
        """Measure, and return the label, the value and the target of each figure."""
        ...


BENCHMARKS = Kind(
    "benchmark", __name__, Benchmark, beside=("captured_worlds", "commanded", "worlds")
)
