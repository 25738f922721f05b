"""Tests of confidence intervals: they contain the true value often enough and have a width."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchloom.core.shares import share_of
from benchloom.evaluate.benchmarks.nestful.figures import MacroF1
from benchloom.evaluate.statistics.counts import CountTable, Draws
from benchloom.evaluate.statistics.intervals import figure, interval, ratio_interval, t_quantile
from benchloom.evaluate.statistics.metrics import Ratio

Generator = np.random.Generator
Drawn = tuple[NDArray[np.float64], NDArray[np.float64]]
REPEATS = 600
SHARE = Ratio("share", "", {"right": 1}, {"samples": 1})


def table_of(**columns: list[float]) -> CountTable:
    table = CountTable()
    for row in zip(*columns.values(), strict=True):
        table.add(dict(zip(columns, row, strict=True)))
    return table


def draw_shares(draw: Generator, samples: int, share: float) -> Drawn:
    """Draw samples that are right with probability `share`."""
    return (draw.random(samples) < share).astype(float), np.ones(samples)


def draw_pooled_calls(draw: Generator, samples: int, share: float) -> Drawn:
    """Draw one to nineteen calls for each sample; calls of one sample are alike."""
    sample_shares = draw.beta(4 * share, 4 * (1 - share), samples)
    calls = draw.integers(1, 20, samples)
    return draw.binomial(calls, sample_shares).astype(float), calls.astype(float)


def draw_quarters(draw: Generator, samples: int, share: float) -> Drawn:
    """Draw the mean of four attempts for each sample."""
    return draw.binomial(4, share, samples) / 4, np.ones(samples)


def draw_mostly_right(draw: Generator, samples: int, share: float) -> Drawn:
    """Draw 1 for a share of 2 * `share` - 1 of the samples, and any fraction for the others."""
    right = draw.random(samples) < 2 * share - 1
    return np.where(right, 1.0, draw.random(samples)), np.ones(samples)


@pytest.mark.parametrize(
    ("draw_counts", "samples", "share", "coverage"),
    [
        (draw_shares, 20, 0.01, 0.95),
        (draw_shares, 50, 0.99, 0.89),
        (draw_shares, 20, 0.5, 0.93),
        (draw_shares, 200, 0.9, 0.93),
        (draw_pooled_calls, 20, 0.5, 0.94),
        (draw_pooled_calls, 50, 0.9, 0.90),
        (draw_pooled_calls, 20, 0.95, 0.89),
        (draw_quarters, 20, 0.5, 0.93),
        (draw_quarters, 50, 0.99, 0.93),
        (draw_mostly_right, 20, 0.95, 0.91),
        (draw_mostly_right, 50, 0.99, 0.91),
    ],
)
def test_intervals_cover_the_true_value_often_enough(
    draw_counts: Callable[[Generator, int, float], Drawn],
    samples: int,
    share: float,
    coverage: float,
) -> None:
    draw = np.random.default_rng(11)
    hits = 0
    for _ in range(REPEATS):
        bounds = ratio_interval(*draw_counts(draw, samples, share))
        assert bounds is not None
        hits += bounds[0] <= share <= bounds[1]
    assert hits / REPEATS >= coverage


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_interval_contains_its_figure_and_has_a_width(rows: list[tuple[int, int]]) -> None:
    over = np.array([float(min(hits, other)) for hits, other in rows])
    under = np.array([float(other) for _, other in rows])
    bounds = ratio_interval(over, under)
    if not under.sum():
        assert bounds is None
        return
    assert bounds is not None
    low, high = bounds
    assert 0 <= low < high <= 1
    assert low - 1e-9 <= over.sum() / under.sum() <= high + 1e-9


@pytest.mark.parametrize("right", [0, 1, 7, 20])
def test_interval_of_a_share_is_wilsons(right: int) -> None:
    table = table_of(right=[1.0] * right + [0.0] * (20 - right))
    wilson = share_of(right, 20)
    assert interval(SHARE, table, seed=0) == (wilson.low, wilson.high)


def test_correlated_calls_widen_the_interval() -> None:
    calls = np.full(20, 10.0)
    alike = np.array([10.0, 0.0] * 10)
    mixed = np.array([5.0, 5.0, 4.0, 6.0] * 5)
    wide, narrow = ratio_interval(alike, calls), ratio_interval(mixed, calls)
    assert wide is not None
    assert narrow is not None
    assert wide[1] - wide[0] > 3 * (narrow[1] - narrow[0])
    plain_share = share_of(10, 20)
    assert wide == pytest.approx((plain_share.low, plain_share.high), abs=0.03)


def macro_f1_table(rows: list[tuple[str, str]]) -> CountTable:
    table = CountTable()
    for gold, predicted in rows:
        counts = {f"function:gold:{gold}": 1.0, f"function:predicted:{predicted}": 1.0}
        counts |= {f"function:hits:{gold}": 1.0} if gold == predicted else {}
        table.add(counts)
    return table


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "a")] * 9 + [("b", "a")],
        [("a", "a"), ("b", "b")] * 10,
        [("a", "z")] * 12,
        [("a", "a")],
    ],
)
def test_macro_f1_has_a_seeded_interval(rows: list[tuple[str, str]]) -> None:
    metric, table = MacroF1("f1", "", "function"), macro_f1_table(rows)
    value, bounds = (
        figure(metric, table.sums()),
        interval(MacroF1("f1", "", "function"), table, seed=1),
    )
    assert value is not None
    assert bounds is not None
    low, high = bounds
    assert 0 <= low < high <= 1
    assert low <= value <= high
    assert interval(metric, table, seed=1) == bounds


def test_figure_without_counts_has_no_interval() -> None:
    assert interval(Ratio("x", "", {"a": 1}, {"b": 1}), table_of(a=[1.0]), seed=0) is None
    assert interval(MacroF1("f1", "", "function"), table_of(a=[1.0]), seed=0) is None


def test_count_table_keeps_nonzero_entries() -> None:
    table = table_of(a=[1.0, 0.0, 2.5], b=[0.0, 0.0, 1.0])
    assert table["a"].tolist() == [1, 0, 2.5]
    assert table.entries("b")[0].tolist() == [2]
    assert {name: sums.tolist() for name, sums in table.sums().items()} == {
        "samples": [3],
        "a": [3.5],
        "b": [1],
    }
    some = table.sums(np.array([0, 1]))
    assert (some["samples"].tolist(), some["a"].tolist()) == ([2], [1])
    assert sorted(table) == ["a", "b", "samples"]
    drawn = Draws(table, seed=3, draws=500)
    assert drawn["samples"].tolist() == [3.0] * 500
    assert drawn["a"].mean() == pytest.approx(3.5, abs=0.3)
    assert len(drawn) == len(list(drawn)) == 3


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_quantiles_of_students_t(freedom: int, expected: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(expected, rel=0.004)
