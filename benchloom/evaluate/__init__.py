"""Score predictions of published benchmarks, with confidence intervals and reasons for each fault.

The package `benchmarks` has one folder per benchmark. Each benchmark judges one sample at a time
under one of two rule sets: `right` counts by the definition of each metric, and `published` counts
like the published scorer, including its faults, so that results are comparable with published
tables.
"""

from benchloom.evaluate.benchmark import Benchmark, Rules, Sample
from benchloom.evaluate.statistics.metrics import Metric

__all__ = ["Benchmark", "Metric", "Rules", "Sample"]
