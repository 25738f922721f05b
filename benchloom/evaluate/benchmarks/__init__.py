"""The benchmarks: each folder in this package defines a `BENCHMARK`.

The folder's name is the argument BENCHMARK of `benchloom evaluate`, and the name of the benchmark's
inspect_ai task.
"""

from benchloom.core.kinds import Kind
from benchloom.evaluate.benchmark import Benchmark

BENCHMARKS = Kind("benchmark", __name__, Benchmark, attribute="BENCHMARK", dashed=True)
