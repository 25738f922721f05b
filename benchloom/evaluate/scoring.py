"""Score a file of predictions: judge each prediction, and compute metrics with intervals."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.answers import Answer
from benchloom.evaluate.benchmark import Benchmark, Judged, Rules, Sample
from benchloom.evaluate.pairs import Match, Pairing, Unused
from benchloom.evaluate.sample_choice import chosen_samples
from benchloom.evaluate.statistics.counts import CountTable
from benchloom.evaluate.statistics.intervals import figure, interval, positions_by_group
from benchloom.evaluate.statistics.metrics import Metric, Sums

OnJudged = Callable[[Sample, Answer, Judged], None]
"""A function that is called with every sample, its prediction and its judgement, in gold order."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a metric with its 95 % confidence interval from `low` to `high`."""

    value: float | None  # null if the denominator is zero
    low: float | None
    high: float | None
    denominator: float  # divisor of the value
    samples: int  # number of samples
    title: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The result of scoring predictions, as in `summary.json`; metrics are fractions of 1."""

    benchmark: str
    rules: Rules
    samples: int
    metrics: dict[str, float]  # without metrics whose denominator is zero
    figures: dict[str, Figure]
    levels: dict[str, dict[str, float]] = {}  # metrics by level
    categories: dict[str, dict[str, float]] = {}
    level_samples: dict[str, int] = {}
    outcomes: dict[str, int] = {}  # number of samples by outcome
    reasons: dict[str, int] = {}  # number of findings by kind
    seed: int = 0
    seconds: float = 0.0
    model: str = ""  # the model that made the predictions
    cost_usd: float | None = None
    match: Match = "id"  # how predictions were matched with samples
    unused: Unused = Unused()  # records left out
    gold: str = ""  # empty if the scoring was not written to a folder
    split: str = ""
    functions: str = ""


class Tally:
    """Collects the counts and outcomes of judged samples, and computes metrics from them."""

    def __init__(self) -> None:
        self._counts = CountTable()
        self._levels: list[str] = []
        self._categories: list[str] = []
        self._outcomes: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()

    @property
    def samples(self) -> int:
        """The number of samples that were added."""
        return self._counts.rows

    def add(self, sample: Sample, judged: Judged) -> None:
        """Add the counts, the outcome and the faults of one judged sample."""
        self._counts.add(judged.counts)
        self._levels.append(sample.level)
        self._categories.append(sample.category)
        self._outcomes[judged.outcome] += 1
        self._reasons.update({finding.kind for finding in judged.findings})

    def totals(self, metrics: Sequence[Metric]) -> dict[str, float]:
        """Return the metrics over all samples without intervals.

        A metric whose denominator is 0 is left out.
        """
        return values_of(self._counts.sums(), metrics)

    def outcomes(self) -> dict[str, int]:
        """Return a mapping from outcome to number of samples, sorted by outcome."""
        return dict(sorted(self._outcomes.items()))

    def summary(
        self, benchmark: str, rules: Rules, metrics: Sequence[Metric], seed: int
    ) -> Summary:
        """Return the metrics over all samples, and over the samples of each level and category."""
        counts = self._counts
        return Summary(
            benchmark=benchmark,
            rules=rules,
            samples=self.samples,
            metrics=self.totals(metrics),
            figures=figures_of(counts, metrics, seed),
            levels=_by_group(counts, metrics, self._levels),
            categories=_by_group(counts, metrics, self._categories),
            level_samples=dict(sorted(Counter(level for level in self._levels if level).items())),
            outcomes=self.outcomes(),
            reasons=dict(sorted(self._reasons.items())),
            seed=seed,
        )


def evaluate(
    name: str,
    benchmark: Benchmark,
    gold: Path,
    predictions: Path,
    rules: Rules,
    *,
    seed: int = 0,
    on_judged: OnJudged | None = None,
    partial: bool = False,
    by_order: bool = False,
    split: str = "",
) -> Summary:
    """Judge every prediction of a file against its gold sample, and return the metrics.

    Predictions are matched with samples by id, or by order if `by_order` is true. With `partial`,
    samples without a prediction are left out.

    Raises:
        RunError: the gold has no sample, or the lines do not match the samples. If they are matched
            by id, two lines have the same id, no line has an id, or a sample has no prediction. If
            they are matched by order, there are more or fewer lines than samples.
    """
    start = time.monotonic()
    tally = Tally()
    pairing = Pairing(predictions, by_order=by_order, partial=partial)
    samples = chosen_samples(
        benchmark, gold, pairing.answers, pairing.leave_out, split=split, by_order=by_order
    )
    for sample, answer in pairing.pairs(samples):
        judged = (
            benchmark.judge_unreadable(sample, rules)
            if answer.problem
            else benchmark.judge(sample, answer.output, rules)
        )
        tally.add(sample, judged)
        if on_judged is not None:
            on_judged(sample, answer, judged)
    total_summary = tally.summary(name, rules, benchmark.metrics(rules), seed)
    return replace(
        total_summary,
        seconds=round(time.monotonic() - start, 3),
        match=pairing.match,
        unused=pairing.unused(),
    )


def figures_of(counts: CountTable, metrics: Sequence[Metric], seed: int) -> dict[str, Figure]:
    """Return the metrics over all samples with their confidence intervals, by metric name."""
    sums = counts.sums()
    figures: dict[str, Figure] = {}
    for metric in metrics:
        low, high = interval(metric, counts, seed=seed) or (None, None)
        figures[metric.name] = Figure(
            value=figure(metric, sums),
            low=low,
            high=high,
            denominator=float(metric.denominator(sums)[0]),
            samples=counts.rows,
            title=metric.title,
        )
    return figures


def _by_group(
    counts: CountTable, metrics: Sequence[Metric], groups: Sequence[str]
) -> dict[str, dict[str, float]]:
    rows_by_group = positions_by_group(groups)
    return {name: values_of(counts.sums(rows), metrics) for name, rows in rows_by_group.items()}


def values_of(sums: Sums, metrics: Sequence[Metric]) -> dict[str, float]:
    """Compute metrics from sums of counts; a metric whose denominator is 0 is left out."""
    values = {metric.name: figure(metric, sums) for metric in metrics}
    return {name: value for name, value in values.items() if value is not None}
