"""Scores on published benchmarks: the score of a prediction, the reasons, and its uncertainty.

One folder per benchmark in `benchmarks`; each judges one sample after the other under the rules
`right` (every figure as it is defined) or `published` (the counting of the published scorer,
faults included, so that published tables can be compared). Nothing here runs a model.
"""

from benchloom.evaluate.benchmark import RULES, Benchmark, Judged, Rules, Sample
from benchloom.evaluate.statistics.metrics import Metric, Ratio

__all__ = ["RULES", "Benchmark", "Judged", "Metric", "Ratio", "Rules", "Sample"]
