"""Intervals by bootstrap: how far a figure would move with other samples of the same kind."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchloom.evaluate.metrics import Metric, Sums

RESAMPLES = 1000
LEVEL = 0.95
_BLOCK = 4096
"""Samples whose draws are held at once: 1,000 draws of them are 32 MiB."""


def sums_of(counts: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The sums of all samples, each of shape (1,); `counts` are arrays of shape (samples,)."""
    return {name: np.array([values.sum()]) for name, values in counts.items()}


def resampled(
    counts: Mapping[str, NDArray[np.float64]], *, seed: int, resamples: int = RESAMPLES
) -> Sums:
    """The sums of samples drawn with replacement, each of shape (resamples,).

    A draw gives every sample a number of times it was drawn; blocks of samples share the draws by
    a multinomial over the blocks, so that memory does not grow with the samples.
    """
    names = list(counts)
    size = len(counts[names[0]])
    table = np.stack([counts[name] for name in names])
    draw = np.random.default_rng(seed)
    edges = [*range(0, size, _BLOCK), size]
    widths = np.diff(edges)
    totals = np.zeros((len(names), resamples))
    shares = draw.multinomial(size, widths / size, size=resamples)
    for place, width in enumerate(widths):
        block = table[:, edges[place] : edges[place + 1]]
        times = np.empty((resamples, width))
        for one in range(resamples):
            drawn = draw.integers(0, width, shares[one, place])
            times[one] = np.bincount(drawn, minlength=width)
        totals += block @ times.T
    return {name: totals[place] for place, name in enumerate(names)}


def interval(metric: Metric, draws: Sums) -> tuple[float, float] | None:
    """The 95 % percentile interval of a figure; None where too few draws have one."""
    values = metric.of(draws)
    values = values[~np.isnan(values)]
    if len(values) * 2 < len(draws["samples"]):
        return None
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def figure(metric: Metric, sums: Sums) -> float | None:
    """The figure of sums of shape (1,); None where there is nothing to divide by."""
    value = float(metric.of(sums)[0])
    return None if np.isnan(value) else value


def grouped(groups: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The places of the samples of each group, sorted by name; the empty name is no group."""
    names = np.array(groups, dtype=object)
    return {name: np.flatnonzero(names == name) for name in sorted(set(groups)) if name}
