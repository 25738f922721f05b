"""NESTFUL: calls whose arguments take the results of earlier calls (arXiv 2409.03797)."""

from benchloom.evaluate.benchmarks.nestful.judging import Nestful

BENCHMARK = Nestful()
