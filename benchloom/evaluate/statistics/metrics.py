"""Metrics over samples: functions of the summed counts of the samples."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Sums: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Sums of counts by name, each of shape (draws,): one sum per bootstrap draw."""


class Metric(ABC):
    """A metric between 0 and 1; `title` describes it in one line.

    `gold` is the value for gold itself: 1, or 0 for a metric that counts faults. The sum `samples`
    is the number of samples.
    """

    def __init__(self, name: str, title: str, *, gold: float = 1.0) -> None:
        self.name = name
        self.title = title
        self.gold = gold

    @abstractmethod
    def of(self, sums: Sums) -> NDArray[np.float64]:
        """Return the metric for each bootstrap draw, shape (draws,); NaN if a denominator is 0."""

    @abstractmethod
    def denominator(self, sums: Sums) -> NDArray[np.float64]:
        """Return the denominator of the metric for each bootstrap draw, shape (draws,)."""


class Ratio(Metric):
    """A ratio of weighted sums of counts; `over` and `under` map counts to weights.

    Accuracy is `{"right": 1}` over `{"samples": 1}`; pooled F1 is `{"hits": 2}` over
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
        """Return the ratio for each bootstrap draw."""
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
