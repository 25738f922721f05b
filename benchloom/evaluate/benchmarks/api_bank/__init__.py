"""API-Bank (Li et al. 2023): calls in dialogues, after a search for tools, and after a plan."""

from benchloom.evaluate.benchmarks.api_bank.scorer import ApiBankBenchmark

BENCHMARK = ApiBankBenchmark()
