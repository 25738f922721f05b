"""Two scorings of the same samples: differences, intervals, tests, and how many samples changed."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchloom.core.errors import RunError
from benchloom.evaluate.benchmarks.nestful.figures import MacroF1
from benchloom.evaluate.board.comparison import Difference, compare, mcnemar
from benchloom.evaluate.sample_table import SAMPLES, TABLE, SampleRow, sorted_counts
from benchloom.evaluate.statistics.metrics import Ratio
from benchloom.storage.tables import TableWriter

SHARE = Ratio("success", "", {"right": 1}, {"samples": 1})
CALLS = Ratio("calls", "", {"hits": 1}, {"calls": 1})
Row = tuple[str, dict[str, float]]


def stored(folder: Path, rows: Sequence[Row], epochs: int = 1) -> Path:
    folder.mkdir()
    with TableWriter(TABLE, folder / SAMPLES) as table:
        for name, counts in rows:
            for epoch in range(epochs):
                row = SampleRow(
                    name, "", "", "", "x", counts == {}, sorted_counts(counts), (), "null", epoch
                )
                table.add(row)
    return folder


def rights(*values: int) -> list[Row]:
    return [(f"s{n}", {"right": float(value)}) for n, value in enumerate(values)]


def one(folder: Path, first: Sequence[Row], second: Sequence[Row], metric: object) -> Difference:
    left, right = stored(folder / "a", first), stored(folder / "b", second)
    *_, (difference,) = compare(left, right, [metric])  # type: ignore[list-item]  # any metric
    return difference


def test_samples_that_changed_are_counted_in_both_directions(tmp_path: Path) -> None:
    first = rights(*[1] * 50, *[0] * 50)
    second = rights(*[1] * 44, *[0] * 6, *[1] * 16, *[0] * 34)
    comparison = one(tmp_path, first, second, SHARE)
    assert (comparison.first, comparison.second) == (0.5, 0.6)
    assert comparison.difference == pytest.approx(0.1)
    assert (comparison.better, comparison.worse, comparison.test) == (16, 6, "mcnemar")
    assert comparison.p_value == pytest.approx(0.0525, abs=0.0005)
    assert comparison.low == pytest.approx(0.0078, abs=0.01)
    assert comparison.high == pytest.approx(0.188, abs=0.01)


def test_samples_of_one_run_alone_are_counted(tmp_path: Path) -> None:
    left = stored(tmp_path / "a", rights(1, 0, 1, 1, 0))
    right = stored(tmp_path / "b", [*rights(1, 1, 1)[1:], ("other", {"right": 1.0})])
    common, only_first, only_second, (difference,) = compare(left, right, [SHARE])
    assert (common, only_first, only_second) == (2, 3, 1)
    assert (difference.first, difference.second) == (0.5, 1.0)
    nothing = stored(tmp_path / "c", [("else", {"right": 1.0})])
    assert compare(left, nothing, [SHARE]) == (0, 5, 1, ())


def test_equal_scorings_differ_by_nothing_with_a_width(tmp_path: Path) -> None:
    rows: list[Row] = [(f"s{n}", {"right": 1.0, "hits": 2.0, "calls": 3.0}) for n in range(20)]
    left, right = stored(tmp_path / "a", rows), stored(tmp_path / "b", rows)
    for change in compare(left, right, [SHARE, CALLS])[3]:
        assert (change.difference, change.better, change.worse, change.p_value) == (0, 0, 0, 1)
        assert -0.2 < change.low < 0 < change.high < 0.2


def test_several_runs_of_a_sample_are_their_mean(tmp_path: Path) -> None:
    left = stored(tmp_path / "a", rights(1, 0, 0, 1), epochs=3)
    right = stored(tmp_path / "b", rights(1, 1, 0, 1))
    *_, (difference,) = compare(left, right, [SHARE])
    assert (difference.first, difference.second, difference.better, difference.worse) == (
        0.5,
        0.75,
        1,
        0,
    )


def pooled(draw: np.random.Generator, shares: Sequence[float] | NDArray[np.float64]) -> list[Row]:
    rows: list[Row] = []
    for number, share in enumerate(shares):
        calls = int(draw.integers(1, 10))
        rows.append((f"s{number}", {"calls": calls, "hits": float(draw.binomial(calls, share))}))
    return rows


def test_intervals_of_pooled_shares_contain_the_true_difference(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    hits = small = 0
    for number in range(100):
        shares = draw.beta(2, 2, 40)
        folder = tmp_path / str(number)
        folder.mkdir()
        difference = one(folder, pooled(draw, shares), pooled(draw, shares), CALLS)
        hits += difference.low <= 0 <= difference.high
        assert difference.p_value is not None
        small += difference.p_value < 0.05
    assert hits >= 90
    assert small <= 10


def test_a_clear_difference_is_seen(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    difference = one(tmp_path, pooled(draw, [0.3] * 60), pooled(draw, [0.7] * 60), CALLS)
    assert difference.low > 0
    assert difference.test == "exchange"
    assert difference.p_value is not None
    assert difference.p_value < 0.001


def test_a_figure_that_is_no_ratio_has_an_interval_alone(tmp_path: Path) -> None:
    def rows(right: int) -> list[Row]:
        sample_rows: list[Row] = []
        for number in range(30):
            name = "ab"[number % 2]
            counts = {f"function:gold:{name}": 1.0}
            said = name if number < right else "z"
            counts |= {f"function:predicted:{said}": 1.0}
            counts |= {f"function:hits:{name}": 1.0} if said == name else {}
            sample_rows.append((f"s{number}", counts))
        return sample_rows

    comparison = one(tmp_path, rows(10), rows(20), MacroF1("f1", "", "function"))
    assert comparison.low < comparison.difference < comparison.high
    assert comparison.low > 0
    assert (comparison.p_value, comparison.better, comparison.test) == (None, None, "")


@pytest.mark.parametrize(
    ("better", "worse", "expected"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 6, 0.03125), (3, 3, 1.0), (10, 2, 0.0386), (900, 800, 0.0163)],
)
def test_mcnemar(better: int, worse: int, expected: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(expected, abs=0.001)
    assert mcnemar(worse, better) == pytest.approx(expected, abs=0.001)


def test_damaged_samples_are_one_line(tmp_path: Path) -> None:
    left = stored(tmp_path / "a", rights(1))
    (tmp_path / "b").mkdir()
    with pytest.raises(RunError, match="contains no samples"):
        compare(left, tmp_path / "b", [SHARE])
    (tmp_path / "b" / SAMPLES).write_bytes(b"PAR1 nothing")
    with pytest.raises(RunError, match="cannot be read"):
        compare(left, tmp_path / "b", [SHARE])
