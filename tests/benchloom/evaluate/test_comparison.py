"""Tests of comparing two scorings of the same samples: differences, intervals, changed samples."""

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


def write_run(folder: Path, rows: Sequence[Row], epochs: int = 1) -> Path:
    folder.mkdir()
    with TableWriter(TABLE, folder / SAMPLES) as table:
        for name, counts in rows:
            for epoch in range(epochs):
                row = SampleRow(
                    name, "", "", "", "x", counts == {}, sorted_counts(counts), (), "null", epoch
                )
                table.add(row)
    return folder


def right_rows(*values: int) -> list[Row]:
    """Return one row per value, which is 1 for a right sample and 0 for a wrong one."""
    return [(f"s{n}", {"right": float(value)}) for n, value in enumerate(values)]


def compare_rows(
    folder: Path, first: Sequence[Row], second: Sequence[Row], metric: object
) -> Difference:
    """Return the difference of one metric between two runs with these rows."""
    first_run, second_run = write_run(folder / "a", first), write_run(folder / "b", second)
    *_, (difference,) = compare(first_run, second_run, [metric])  # type: ignore[list-item]  # any metric
    return difference


def test_changed_samples_are_counted_in_both_directions(tmp_path: Path) -> None:
    first = right_rows(*[1] * 50, *[0] * 50)
    second = right_rows(*[1] * 44, *[0] * 6, *[1] * 16, *[0] * 34)
    comparison = compare_rows(tmp_path, first, second, SHARE)
    assert (comparison.first, comparison.second) == (0.5, 0.6)
    assert comparison.difference == pytest.approx(0.1)
    assert (comparison.better, comparison.worse, comparison.test) == (16, 6, "mcnemar")
    assert comparison.p_value == pytest.approx(0.0525, abs=0.0005)
    assert comparison.low == pytest.approx(0.0078, abs=0.01)
    assert comparison.high == pytest.approx(0.188, abs=0.01)


def test_samples_of_only_one_run_are_counted(tmp_path: Path) -> None:
    first_run = write_run(tmp_path / "a", right_rows(1, 0, 1, 1, 0))
    second_run = write_run(tmp_path / "b", [*right_rows(1, 1, 1)[1:], ("other", {"right": 1.0})])
    common, only_first, only_second, (difference,) = compare(first_run, second_run, [SHARE])
    assert (common, only_first, only_second) == (2, 3, 1)
    assert (difference.first, difference.second) == (0.5, 1.0)
    other_run = write_run(tmp_path / "c", [("else", {"right": 1.0})])
    assert compare(first_run, other_run, [SHARE]) == (0, 5, 1, ())


def test_equal_scorings_have_an_interval_around_zero(tmp_path: Path) -> None:
    rows: list[Row] = [(f"s{n}", {"right": 1.0, "hits": 2.0, "calls": 3.0}) for n in range(20)]
    first_run, second_run = write_run(tmp_path / "a", rows), write_run(tmp_path / "b", rows)
    for difference in compare(first_run, second_run, [SHARE, CALLS])[3]:
        assert (difference.difference, difference.better, difference.worse, difference.p_value) == (
            0,
            0,
            0,
            1,
        )
        assert -0.2 < difference.low < 0 < difference.high < 0.2


def test_repeated_runs_of_a_sample_are_averaged(tmp_path: Path) -> None:
    first_run = write_run(tmp_path / "a", right_rows(1, 0, 0, 1), epochs=3)
    second_run = write_run(tmp_path / "b", right_rows(1, 1, 0, 1))
    *_, (difference,) = compare(first_run, second_run, [SHARE])
    assert (difference.first, difference.second, difference.better, difference.worse) == (
        0.5,
        0.75,
        1,
        0,
    )


def draw_pooled_rows(
    draw: np.random.Generator, shares: Sequence[float] | NDArray[np.float64]
) -> list[Row]:
    """Draw rows of one to nine calls each, with these probabilities of a hit."""
    rows: list[Row] = []
    for number, share in enumerate(shares):
        calls = int(draw.integers(1, 10))
        rows.append((f"s{number}", {"calls": calls, "hits": float(draw.binomial(calls, share))}))
    return rows


def test_intervals_of_pooled_shares_contain_the_true_difference(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    hits = small_p_values = 0
    for number in range(100):
        shares = draw.beta(2, 2, 40)
        folder = tmp_path / str(number)
        folder.mkdir()
        difference = compare_rows(
            folder, draw_pooled_rows(draw, shares), draw_pooled_rows(draw, shares), CALLS
        )
        hits += difference.low <= 0 <= difference.high
        assert difference.p_value is not None
        small_p_values += difference.p_value < 0.05
    assert hits >= 90
    assert small_p_values <= 10


def test_clear_difference_has_a_small_p_value(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    difference = compare_rows(
        tmp_path, draw_pooled_rows(draw, [0.3] * 60), draw_pooled_rows(draw, [0.7] * 60), CALLS
    )
    assert difference.low > 0
    assert difference.test == "exchange"
    assert difference.p_value is not None
    assert difference.p_value < 0.001


def test_macro_f1_has_an_interval_but_no_p_value(tmp_path: Path) -> None:
    def rows(right: int) -> list[Row]:
        sample_rows: list[Row] = []
        for number in range(30):
            name = "ab"[number % 2]
            counts = {f"function:gold:{name}": 1.0}
            predicted = name if number < right else "z"
            counts |= {f"function:predicted:{predicted}": 1.0}
            counts |= {f"function:hits:{name}": 1.0} if predicted == name else {}
            sample_rows.append((f"s{number}", counts))
        return sample_rows

    comparison = compare_rows(tmp_path, rows(10), rows(20), MacroF1("f1", "", "function"))
    assert comparison.low < comparison.difference < comparison.high
    assert comparison.low > 0
    assert (comparison.p_value, comparison.better, comparison.test) == (None, None, "")


@pytest.mark.parametrize(
    ("better", "worse", "expected"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 6, 0.03125), (3, 3, 1.0), (10, 2, 0.0386), (900, 800, 0.0163)],
)
def test_mcnemar_p_values(better: int, worse: int, expected: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(expected, abs=0.001)
    assert mcnemar(worse, better) == pytest.approx(expected, abs=0.001)


def test_missing_or_damaged_samples_are_refused(tmp_path: Path) -> None:
    first_run = write_run(tmp_path / "a", right_rows(1))
    (tmp_path / "b").mkdir()
    with pytest.raises(RunError, match="contains no samples"):
        compare(first_run, tmp_path / "b", [SHARE])
    (tmp_path / "b" / SAMPLES).write_bytes(b"PAR1 nothing")
    with pytest.raises(RunError, match="cannot be read"):
        compare(first_run, tmp_path / "b", [SHARE])
