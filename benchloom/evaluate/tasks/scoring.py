"""The inspect_ai scorer and metrics: the figures of `benchloom evaluate` over equal counts."""

import math

import msgspec
import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks import BENCHMARKS
from benchloom.evaluate.model_requests import Choice, asking
from benchloom.evaluate.protocol import as_json
from benchloom.evaluate.tasks.solving import OUTPUT

SAMPLES = "samples"


@metric
def figures(benchmark: str, rules: Rules) -> Metric:
    """Return the metric with a benchmark's figures, without those whose denominator is zero."""

    def of(scores: list[SampleScore]) -> Value:
        sums: dict[str, float] = {}
        for sample_score in scores:
            for name, count in sample_score.score.value.items():
                sums[name] = sums.get(name, 0.0) + float(count)
        sums[SAMPLES] = float(len(scores))
        drawn = {name: np.array([value]) for name, value in sums.items()}
        metric_values = {
            metric.name: float(metric.of(drawn)[0])
            for metric in BENCHMARKS.find(benchmark).metrics(rules)
        }
        return {name: value for name, value in metric_values.items() if not math.isnan(value)}

    return of


@scorer(metrics=[])
def judged(choice: dict[str, Plain]) -> Scorer:
    """Score with `Benchmark.judge`: counts as value, outcome and findings as explanation."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # the gold is the sample itself, of which the target is but a text
        run_choice = msgspec.convert(choice, Choice)
        chosen = asking(run_choice)
        output = state.store.get(OUTPUT)
        verdict = chosen.benchmark.judge(
            chosen.samples[str(state.sample_id)], output, run_choice.rules
        )
        findings = [
            {"kind": finding.kind, "message": finding.message} for finding in verdict.findings
        ]
        lines = [
            verdict.outcome,
            *(f"{finding.kind}: {finding.message}" for finding in verdict.findings),
        ]
        return Score(
            value={SAMPLES: 1.0, **verdict.counts},
            answer=output if isinstance(output, str) else as_json(output),
            explanation="\n".join(lines),
            metadata={"outcome": verdict.outcome, "findings": findings, OUTPUT: output},
        )

    return score
