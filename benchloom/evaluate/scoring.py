"""Scoring: gold and predictions side by side become figures and a table that says why."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.evaluate.answers import Answer, read_answers
from benchloom.evaluate.benchmark import Benchmark, Judged, Rules, Sample
from benchloom.evaluate.choosing import chosen_samples
from benchloom.evaluate.counts import CountTable
from benchloom.evaluate.intervals import figure, grouped, interval
from benchloom.evaluate.metrics import Metric

Told = Callable[[Sample, Judged], None]
"""What is told of every judged sample, in the order of gold."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: `value` is null where nothing is there to divide by.

    `low` and `high` are the 95 % interval, `denominator` what the figure is divided by,
    `samples` the number of samples behind it.
    """

    value: float | None
    low: float | None
    high: float | None
    denominator: float
    samples: int
    title: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What `evaluate` found: `metrics` maps names to fractions between 0 and 1.

    A figure without anything to divide by stands in `figures` alone. `outcomes` counts the samples
    by what became of them, `reasons` the findings by kind; `levels` and `categories` hold the
    figures of the samples of one level and category. `model` is what made the predictions,
    `cost_usd` what they cost in US dollars, null where that is unknown.
    """

    benchmark: str
    rules: Rules
    samples: int
    metrics: dict[str, float]
    figures: dict[str, Figure]
    levels: dict[str, dict[str, float]]
    categories: dict[str, dict[str, float]]
    level_samples: dict[str, int]
    outcomes: dict[str, int]
    reasons: dict[str, int]
    seed: int
    seconds: float
    model: str = ""
    cost_usd: float | None = None


class Tally:
    """The counts of every sample, and what became of it."""

    def __init__(self) -> None:
        self._counts = CountTable()
        self._levels: list[str] = []
        self._categories: list[str] = []
        self._outcomes: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()

    @property
    def samples(self) -> int:
        """The number of samples."""
        return self._counts.rows

    def add(self, sample: Sample, judged: Judged) -> None:
        """Take one judged sample."""
        self._counts.add(judged.counts)
        self._levels.append(sample.level)
        self._categories.append(sample.category)
        self._outcomes[judged.outcome] += 1
        self._reasons.update({one.kind for one in judged.findings})

    def totals(self, metrics: Sequence[Metric]) -> dict[str, float]:
        """The figures of all samples without intervals; without those that divide by nothing."""
        sums = self._counts.sums()
        values = {metric.name: figure(metric, sums) for metric in metrics}
        return {name: value for name, value in values.items() if value is not None}

    def outcomes(self) -> dict[str, int]:
        """How many samples ended how, sorted by word."""
        return dict(sorted(self._outcomes.items()))

    def summary(
        self, benchmark: str, rules: Rules, metrics: Sequence[Metric], seed: int
    ) -> Summary:
        """The figures of all samples, and of each level and category."""
        counts = self._counts
        figures = figures_of(counts, metrics, seed)
        return Summary(
            benchmark=benchmark,
            rules=rules,
            samples=self.samples,
            metrics={name: one.value for name, one in figures.items() if one.value is not None},
            figures=figures,
            levels=_by_group(counts, metrics, self._levels),
            categories=_by_group(counts, metrics, self._categories),
            level_samples=dict(sorted(Counter(one for one in self._levels if one).items())),
            outcomes=self.outcomes(),
            reasons=dict(sorted(self._reasons.items())),
            seed=seed,
            seconds=0.0,
        )


def evaluate(
    name: str,
    benchmark: Benchmark,
    gold: Path,
    predictions: Path,
    rules: Rules,
    *,
    seed: int = 0,
    told: Told | None = None,
    partial: bool = False,
) -> Summary:
    """Judge every prediction of a file beside its sample.

    With `partial` samples that no prediction has the id of are left out.

    Raises:
        RunError: the gold has no sample, a line is damaged, there are more or fewer lines than
            samples, or an id is unknown, repeated or missing among lines with ids.
    """
    start = time.monotonic()
    tally = Tally()
    samples, answers = chosen_samples(benchmark, gold, predictions), read_answers(predictions)
    for sample, answer in paired(samples, answers, predictions, partial=partial):
        judged = (
            benchmark.unread(sample, rules)
            if answer.problem
            else benchmark.judge(sample, answer.output, rules)
        )
        tally.add(sample, judged)
        if told is not None:
            told(sample, judged)
    found = tally.summary(name, rules, benchmark.metrics(rules), seed)
    return msgspec.structs.replace(found, seconds=round(time.monotonic() - start, 3))


def paired(
    samples: Iterator[Sample], answers: Iterator[Answer], path: Path, *, partial: bool = False
) -> Iterator[tuple[Sample, Answer]]:
    """Samples with their predictions: by place, or by id where the first line has one.

    Raises:
        RunError: they do not belong together.
    """
    first = next(answers, None)
    if first is None:
        raise RunError(f"{path}: no prediction")
    if first.sample_id is not None:
        yield from _by_id(samples, chain([first], answers), path, partial=partial)
        return
    remaining = chain([first], answers)
    count = 0
    for sample in samples:
        answer = next(remaining, None)
        if answer is None:
            more = 1 + sum(1 for _ in samples)
            raise RunError(f"{path}: {count} predictions for {count + more} samples")
        if answer.sample_id is not None:
            raise RunError(f"{path} line {answer.number}: an id, and line {first.number} has none")
        count += 1
        yield sample, answer
    if count == 0:
        raise RunError("the gold has no sample")
    if next(remaining, None) is not None:
        extra = 1 + sum(1 for _ in remaining)
        raise RunError(f"{path}: {count + extra} predictions for {count} samples")


def _by_id(
    samples: Iterator[Sample], answers: Iterator[Answer], path: Path, *, partial: bool
) -> Iterator[tuple[Sample, Answer]]:
    known: dict[str, Answer] = {}
    for one in answers:
        if one.sample_id is None:
            raise RunError(f"{path} line {one.number}: no id, and the first line has one")
        if one.sample_id in known:
            raise RunError(f"{path} line {one.number}: {one.sample_id} stands there twice")
        known[one.sample_id] = one
    missing: list[str] = []
    for sample in samples:
        answer = known.pop(sample.sample_id, None)
        if answer is None:
            missing.append(sample.sample_id)
        else:
            yield sample, answer
    if known:
        raise RunError(f"{path}: {len(known)} unknown ids, such as {next(iter(known))}")
    if missing and not partial:
        raise RunError(f"{path}: no prediction for {len(missing)} samples, such as {missing[0]}")


def figures_of(counts: CountTable, metrics: Sequence[Metric], seed: int) -> dict[str, Figure]:
    """The figures of all samples with their intervals."""
    sums = counts.sums()
    found: dict[str, Figure] = {}
    for metric in metrics:
        low, high = interval(metric, counts, seed=seed) or (None, None)
        found[metric.name] = Figure(
            value=figure(metric, sums),
            low=low,
            high=high,
            denominator=float(metric.denominator(sums)[0]),
            samples=counts.rows,
            title=metric.title,
        )
    return found


def _by_group(
    counts: CountTable, metrics: Sequence[Metric], groups: Sequence[str]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name, rows in grouped(groups).items():
        sums = counts.sums(rows)
        values = {metric.name: figure(metric, sums) for metric in metrics}
        found[name] = {one: value for one, value in values.items() if value is not None}
    return found
