"""The metrics of NESTFUL under both rule sets."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.nestful.published import GOLD, HITS, PREDICTED
from benchloom.evaluate.statistics.metrics import Metric, Ratio, Sums

_AT_ONCE = 1000  # classes per batch; 300 draws of a batch take 2.3 MiB


def _batches(names: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(names, _AT_ONCE)):
        yield batch


class MacroF1(Metric):
    """The macro F1 metric, which is the mean F1 of those classes that occur in gold."""

    def __init__(self, name: str, title: str, word: str) -> None:
        super().__init__(name, title)
        self._word = word

    def of(self, sums: Sums) -> NDArray[np.float64]:
        """Return the mean F1 of the classes for each bootstrap draw, with shape (draws,)."""
        total = np.zeros_like(sums["samples"])
        classes = np.zeros_like(total)
        for names in _batches(self._classes(sums)):
            gold, predicted, hits = (
                np.stack([sums.get(f"{self._word}:{kind}:{name}", total * 0) for name in names])
                for kind in (GOLD, PREDICTED, HITS)
            )
            below = gold + predicted
            share = np.divide(2 * hits, below, out=np.zeros_like(below), where=below > 0)
            total = total + np.where(gold > 0, share, 0.0).sum(axis=0)
            classes = classes + (gold > 0).sum(axis=0)
        return np.divide(total, classes, out=np.full_like(total, np.nan), where=classes > 0)

    def denominator(self, sums: Sums) -> NDArray[np.float64]:
        """Return the number of classes in gold for each bootstrap draw, with shape (draws,)."""
        counts = np.zeros_like(sums["samples"])
        for name in self._classes(sums):
            counts += sums[f"{self._word}:{GOLD}:{name}"] > 0
        return counts

    def _classes(self, sums: Sums) -> Iterator[str]:
        begin = f"{self._word}:{GOLD}:"
        return (name.removeprefix(begin) for name in sums if name.startswith(begin))


_RUN: tuple[Metric, ...] = (
    Ratio("pass_rate", "samples in which every call runs", {"passes": 1}, {"runs": 1}),
    Ratio("win_rate", "samples whose calls return the answer of gold", {"wins": 1}, {"answers": 1}),
)
_RIGHT: tuple[Metric, ...] = (
    Ratio(
        "partial_match",
        "mean share of right calls, in the longer list of gold and prediction",
        {"partial": 1},
        {"samples": 1},
    ),
    Ratio("recall", "mean share of gold calls that are right", {"recall": 1}, {"samples": 1}),
    Ratio("full_match", "samples in which every call is right", {"full": 1}, {"samples": 1}),
    *(
        Ratio(name, title, {f"{word}_{HITS}": 2}, {f"{word}_{GOLD}": 1, f"{word}_{PREDICTED}": 1})
        for name, title, word in (
            ("f1_function", "F1 of the names of functions, over all calls", "functions"),
            (
                "f1_parameter",
                "F1 of the names of arguments of functions, over all calls",
                "parameters",
            ),
        )
    ),
    *_RUN,
)
_PUBLISHED: tuple[Metric, ...] = (
    Ratio(
        "partial_match",
        "mean share of calls that equal the gold call at their position",
        {"partial": 1},
        {"samples": 1},
    ),
    Ratio("full_match", "samples whose list of calls equals gold", {"full": 1}, {"samples": 1}),
    MacroF1(
        "f1_function", "macro F1 of the names of functions, over functions in gold", "function"
    ),
    MacroF1(
        "f1_parameter", "macro F1 of arguments with values, over arguments in gold", "parameter"
    ),
    *_RUN,
)


def metrics_of(rules: Rules) -> Sequence[Metric]:
    """Return the metrics of NESTFUL under a rule set, in the order of result tables."""
    return _RIGHT if rules == "right" else _PUBLISHED
