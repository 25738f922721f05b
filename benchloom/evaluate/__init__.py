"""Score predictions of published benchmarks, with reasons and confidence intervals.

`benchmarks` has one folder per benchmark. Each benchmark judges one sample at a time under one
of two rule sets: `right` (every figure as it is defined) or `published` (counted like the
published scorer, faults included, so that results compare with published tables). No module
here runs a model.
"""

from benchloom.evaluate.benchmark import Benchmark, Rules, Sample
from benchloom.evaluate.statistics.metrics import Metric

__all__ = ["Benchmark", "Metric", "Rules", "Sample"]
