"""Metrics of an evaluation, which are functions of counts that are summed over samples."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Sums: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Maps the name of a count to an array of its sums, shape (draws,), one for each bootstrap draw."""


class Metric(ABC):
    """A metric between 0 and 1; `title` describes the metric in one line.

    `gold` is the metric's value for gold itself, which is 1, or 0 for a metric that counts faults.
    The sum `samples`, which all metrics may use, is the number of samples.
    """

    def __init__(self, name: str, title: str, *, gold: float = 1.0) -> None:
        self.name = name
        self.title = title
        self.gold = gold

    @abstractmethod
    def of(self, sums: Sums) -> NDArray[np.float64]:
        """Return the metric for each bootstrap draw, with shape (draws,).

        The metric is NaN where its denominator is 0.
        """

    @abstractmethod
    def denominator(self, sums: Sums) -> NDArray[np.float64]:
        """Return the denominator of the metric for each bootstrap draw, with shape (draws,)."""


class Ratio(Metric):
    """A metric that divides one weighted sum of counts by another.

    `over` maps the counts in the numerator to their weights, and `under` the counts in the
    denominator. Accuracy is `{"right": 1}` over `{"samples": 1}`; pooled F1 is `{"hits": 2}` over
    `{"predicted": 1, "gold": 1}`.
    """

    def __init__(
        self,
        name: str,
        title: str,
        over: Mapping[str, float],
        under: Mapping[str, float],
        *,
        gold: float = 1.0,
    ) -> None:
        super().__init__(name, title, gold=gold)
        self._over = over
        self._under = under

    def of(self, sums: Sums) -> NDArray[np.float64]:
        """Return the ratio for each bootstrap draw, NaN where the denominator is 0."""
        below = self.denominator(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(below > 0, self.numerator(sums) / below, np.nan)

    def numerator(self, sums: Sums) -> NDArray[np.float64]:
        """Return the weighted sum of the counts in `over`, for each bootstrap draw."""
        return _weighted_sum(sums, self._over)

    def denominator(self, sums: Sums) -> NDArray[np.float64]:
        """Return the weighted sum of the counts in `under`, for each bootstrap draw."""
        return _weighted_sum(sums, self._under)


def _weighted_sum(sums: Sums, weights: Mapping[str, float]) -> NDArray[np.float64]:
    nothing = np.zeros_like(sums["samples"])
    return sum((sums.get(name, nothing) * weight for name, weight in weights.items()), nothing)
