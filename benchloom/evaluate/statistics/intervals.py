"""Compute confidence intervals of metrics, for samples drawn at random from a larger population.

Every interval is Wilson's score interval, which is inside [0, 1] and never has width 0. For a plain
share (each sample adds 0 or 1 to numerator and denominator), the interval uses the number of
samples. For any other metric, it uses the effective number of samples: the number of independent
trials whose share would have the variance of the metric (Korn and Graubard 1998; Dean and Pagano
2015). For a ratio of sums, such as a share of calls pooled over samples or an F1, this variance is
linearised, with samples as clusters and Student's t for few samples. For other metrics it comes
from a bootstrap over samples. If the variance is 0, or the metric is 0 or 1, the effective number
is the number of samples.
"""

from collections.abc import Sequence
from math import pi, sqrt, tan
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchloom.core.shares import LEVEL, score_interval
from benchloom.evaluate.statistics.counts import CountTable, Draws
from benchloom.evaluate.statistics.metrics import Metric, Ratio, Sums

RESAMPLES = 300  # enough for a standard error with 5 % accuracy; quantiles would need more
_MAX_DRAWN = 50_000_000
"""The maximum samples that all draws of a bootstrap contain; larger sets get fewer draws."""
_FEWEST_RESAMPLES = 100
_NOTHING = 1e-15
_UPPER = 0.5 + LEVEL / 2


def interval(metric: Metric, table: CountTable, *, seed: int) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of a metric, or None if its denominator is 0."""
    if isinstance(metric, Ratio):
        return ratio_interval(metric.numerator(table), metric.denominator(table))
    value = figure(metric, table.sums())
    if value is None:
        return None
    draws = max(_FEWEST_RESAMPLES, min(RESAMPLES, _MAX_DRAWN // max(1, table.rows)))
    values = metric.of(Draws(table, seed=seed, draws=draws))
    values = values[~np.isnan(values)]
    variance = float(np.var(values)) if len(values) > 1 else 0.0
    return score_interval(value, _effective(value, variance, table.rows))


def ratio_interval(
    over: NDArray[np.float64], under: NDArray[np.float64]
) -> tuple[float, float] | None:
    """Return the 95 % interval of `sum(over) / sum(under)`, or None if `sum(under)` is 0.

    Both arrays have shape (samples,).
    """
    samples = int(np.count_nonzero(under))
    total = float(under.sum())
    if not samples or total <= 0:
        return None
    ratio = min(1.0, max(0.0, float(over.sum()) / total))
    if _is_binary(over) and _is_binary(under):
        return score_interval(ratio, samples)
    deviations = float(((over - ratio * under) ** 2).sum())
    variance = samples / max(1, samples - 1) * deviations / total**2
    return score_interval(ratio, _effective(ratio, variance, samples))


def _effective(value: float, variance: float, samples: int) -> float:
    """Return the effective number of samples of a metric.

    This is the number of independent trials whose share of successes would vary as much as the
    metric.
    """
    spread = value * (1 - value)
    if samples < 2 or variance <= _NOTHING or spread <= _NOTHING:
        return samples
    ratio = NormalDist().inv_cdf(_UPPER) / t_quantile(_UPPER, samples - 1)
    return spread / variance * ratio**2


def _is_binary(values: NDArray[np.float64]) -> bool:
    return bool(np.all((values == 0) | (values == 1)))


def t_quantile(share: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution with `freedom` degrees of freedom.

    For 95 % intervals its error is at most 0.2 %. It is exact for one and two degrees of freedom;
    for more, it is computed by formula 26.7.5 of Abramowitz and Stegun.
    """
    if freedom == 1:
        return tan(pi * (share - 0.5))
    if freedom == 2:
        return 2 * (share - 0.5) * sqrt(1 / (2 * share * (1 - share)))
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / freedom**power for power, term in enumerate(terms, 1)))


def figure(metric: Metric, sums: Sums) -> float | None:
    """Compute a metric from sums of counts, which have the shape (1,).

    Returns None if the denominator of the metric is 0.
    """
    value = float(metric.of(sums)[0])
    return None if np.isnan(value) else value


def positions_by_group(groups: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Return a mapping from group to the indices of its samples, sorted by group.

    `groups` has the group of each sample; samples with an empty group are left out.
    """
    names = np.array(groups, dtype=object)
    return {name: np.flatnonzero(names == name) for name in sorted(set(groups)) if name}
