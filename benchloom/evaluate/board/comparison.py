"""Compare two scorings of the same samples: the difference of each metric and its uncertainty.

A scoring is the result of scoring one file of predictions. Samples of both are paired by id. For a
metric that is a share of samples, improved and worsened samples are counted; the interval is that
of Bonett and Price (2012), and the test is McNemar's exact test. For any other ratio of sums, the
interval uses the linearised variance of the difference and Student's t, and the test exchanges the
results of random samples between the scorings. For all other metrics the interval comes from a
bootstrap over pairs. No interval has width 0.
"""

from collections.abc import Mapping, Sequence
from math import comb, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Literal, TypeAlias

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchloom.core.shares import LEVEL
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.sample_table import read_samples
from benchloom.evaluate.statistics.counts import CountTable, Draws
from benchloom.evaluate.statistics.intervals import RESAMPLES, figure, t_quantile
from benchloom.evaluate.statistics.metrics import Metric, Ratio

Test: TypeAlias = Literal["mcnemar", "exchange", ""]
EXCHANGES = 2000  # number of random exchanges in a test
_BLOCK = 2_000_000
_MAX_EXACT = 1000
_UPPER = 0.5 + LEVEL / 2
_NOTHING = 1e-15
Columns: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The numerators and the denominators of a ratio, two arrays of shape (samples,)."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a metric in two scorings, and their difference with a confidence interval."""

    metric: str
    title: str
    first: float
    second: float
    difference: float  # second minus first
    low: float
    high: float
    test: Test = ""
    p_value: float | None = None  # None if there is no test
    better: int | None = None  # number of samples with a higher value in the second, for shares
    worse: int | None = None  # number of samples with a lower value in the second


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of two scorings under the same rule set, on the samples that both contain."""

    benchmark: str
    rules: Rules
    first: str
    second: str
    samples: int
    only_first: int
    only_second: int
    differences: tuple[Difference, ...]


def compare(
    first: Path, second: Path, metrics: Sequence[Metric], *, seed: int = 0
) -> tuple[int, int, int, tuple[Difference, ...]]:
    """Compare the scorings in two folders on the samples that both contain.

    Returns the number of samples in both folders, the number only in the first, the number only in
    the second, and the differences of the metrics on the samples in both.

    Raises RunError if a folder contains no table of samples.
    """
    ours, theirs = _by_id(first), _by_id(second)
    common = [name for name in ours if name in theirs]
    left, right = _table(ours, common), _table(theirs, common)
    candidates = (_difference(metric, left, right, seed) for metric in metrics) if common else ()
    differences = tuple(difference for difference in candidates if difference is not None)
    return len(common), len(ours) - len(common), len(theirs) - len(common), differences


def _by_id(folder: Path) -> dict[str, dict[str, float]]:
    """Return a mapping from the id of each sample to its counts, averaged over its runs."""
    sums: dict[str, dict[str, float]] = {}
    runs: dict[str, int] = {}
    for sample in read_samples(folder):
        runs[sample.sample_id] = runs.get(sample.sample_id, 0) + 1
        own = sums.setdefault(sample.sample_id, {})
        for name, value in sample.counts.items():
            own[name] = own.get(name, 0.0) + value
    return {
        name: {key: value / runs[name] for key, value in counts.items()}
        for name, counts in sums.items()
    }


def _table(counts: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> CountTable:
    table = CountTable()
    for name in names:
        table.add(counts[name])
    return table


def _difference(
    metric: Metric, left: CountTable, right: CountTable, seed: int
) -> Difference | None:
    first, second = figure(metric, left.sums()), figure(metric, right.sums())
    if first is None or second is None:
        return None
    metric_difference = Difference(
        metric=metric.name,
        title=metric.title,
        first=first,
        second=second,
        difference=second - first,
        low=0.0,
        high=0.0,
    )
    if not isinstance(metric, Ratio):
        spread = _bootstrap(metric, left, right, seed)
        return _with_interval(metric_difference, spread, left.rows)
    ours = (metric.numerator(left), metric.denominator(left))
    theirs = (metric.numerator(right), metric.denominator(right))
    return _of_ratio(metric_difference, ours, theirs, seed)


def _of_ratio(
    metric_difference: Difference, ours: Columns, theirs: Columns, seed: int
) -> Difference:
    both = (ours[1] > 0) & (theirs[1] > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        change = theirs[0][both] / theirs[1][both] - ours[0][both] / ours[1][both]
    better, worse = int((change > _NOTHING).sum()), int((change < -_NOTHING).sum())
    metric_difference = replace(metric_difference, better=better, worse=worse)
    columns = (*ours, *theirs)
    if bool(np.array_equal(ours[1], theirs[1])) and all(
        bool(np.all((column == 0) | (column == 1))) for column in columns
    ):
        return _of_share(metric_difference, int(both.sum()))
    deviations = _deviations(theirs) - _deviations(ours)
    size = len(deviations)
    spread = sqrt(size / max(1, size - 1) * float((deviations**2).sum()))
    p_value = _exchange_test(ours, theirs, seed)
    metric_difference = replace(metric_difference, test="exchange", p_value=p_value)
    return _with_interval(metric_difference, spread, size)


def _of_share(metric_difference: Difference, size: int) -> Difference:
    better, worse = metric_difference.better or 0, metric_difference.worse or 0
    # One is added to each count, as Bonett and Price propose, so that the width is never 0.
    up, down = (better + 1) / (size + 2), (worse + 1) / (size + 2)
    half = _z() * sqrt((up + down - (up - down) ** 2) / (size + 2))
    return replace(
        metric_difference,
        low=max(-1.0, up - down - half),
        high=min(1.0, up - down + half),
        test="mcnemar",
        p_value=mcnemar(better, worse),
    )


def mcnemar(better: int, worse: int) -> float:
    """Return McNemar's p-value for the numbers of improved and worsened samples.

    If improvement and worsening are equally likely, this is the probability of numbers that differ
    at least as much. It is exact for up to 1,000 changed samples; for more, it comes from the
    normal distribution.
    """
    changed, fewer = better + worse, min(better, worse)
    if not changed:
        return 1.0
    if changed > _MAX_EXACT:
        return 2 * NormalDist().cdf(-max(0, abs(better - worse) - 1) / sqrt(changed))
    tail = sum(comb(changed, count) for count in range(fewer + 1))
    return min(1.0, float(2 * tail / 2**changed))


def _deviations(columns: Columns) -> NDArray[np.float64]:
    over, under = columns
    total = under.sum()
    deviations: NDArray[np.float64] = (over - over.sum() / total * under) / total
    return deviations


def _exchange_test(ours: Columns, theirs: Columns, seed: int) -> float:
    """Return the p-value of a randomisation test on the difference of a metric.

    In each of many rounds, random samples exchange their results between the two scorings. The
    p-value is the share of rounds in which the difference is at least as large as the observed
    difference.
    """

    def difference(over: Columns, under: Columns) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios: NDArray[np.float64] = over[1] / under[1] - over[0] / under[0]
        return np.abs(np.nan_to_num(ratios))

    steps = [theirs[index] - ours[index] for index in (0, 1)]
    left, right = ([column.sum() for column in side] for side in (ours, theirs))
    observed = abs(right[0] / right[1] - left[0] / left[1])
    generator = np.random.default_rng(seed)
    size = len(ours[0])
    block = max(1, min(EXCHANGES, _BLOCK // max(1, size)))
    hits = done = 0
    while done < EXCHANGES:
        batch = min(block, EXCHANGES - done)
        exchanged = generator.random((batch, size)) < 0.5
        moved = [exchanged @ step for step in steps]
        over = (left[0] + moved[0], right[0] - moved[0])
        under = (left[1] + moved[1], right[1] - moved[1])
        hits += int((difference(over, under) >= observed - _NOTHING * 1e3).sum())
        done += batch
    # The observed scorings count as one of the exchanges, so that the p-value is never 0.
    return (hits + 1) / (EXCHANGES + 1)


def _bootstrap(metric: Metric, left: CountTable, right: CountTable, seed: int) -> float:
    ours, theirs = (metric.of(Draws(table, seed=seed, draws=RESAMPLES)) for table in (left, right))
    differences = theirs - ours
    differences = differences[~np.isnan(differences)]
    return float(np.std(differences)) if len(differences) > 1 else 0.0


def _with_interval(metric_difference: Difference, spread: float, size: int) -> Difference:
    """Return the difference with the confidence interval that follows from a standard error.

    `spread` is the standard error. If it is 0, the interval is that of a share for which no sample
    changed.
    """
    half = spread * t_quantile(_UPPER, size - 1) if size > 1 else 0.0
    if half <= _NOTHING:
        half = _z() * sqrt(2) / (size + 2)
    return replace(
        metric_difference,
        low=max(-1.0, metric_difference.difference - half),
        high=min(1.0, metric_difference.difference + half),
    )


def _z() -> float:
    return NormalDist().inv_cdf(_UPPER)
