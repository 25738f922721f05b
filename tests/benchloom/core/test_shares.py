"""Check that shares and their confidence intervals match published values."""

import pytest

from benchloom.core.shares import share_of, texts_for


# Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_match_published_values(hits: int, of: int, low: float, high: float) -> None:
    interval = share_of(hits, of)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_share_of_no_cases_is_missing() -> None:
    assert share_of(0, 0).share is None
    assert str(share_of(0, 0)) == "-"
    assert str(share_of(3, 4)).startswith("0.750 (")


def test_interval_of_a_complete_share_ends_at_1() -> None:
    interval = share_of(7, 7)
    assert (interval.share, interval.high) == (1.0, 1.0)


@pytest.mark.parametrize("half_width", [0.2, 0.1, 0.05, 0.03])
@pytest.mark.parametrize("expected", [0.5, 0.9])
def test_sample_size_fits_the_requested_interval_width(half_width: float, expected: float) -> None:
    count = texts_for(half_width, expected)
    enough = share_of(round(count * expected), count)
    assert enough.low is not None
    assert enough.high is not None
    assert (enough.high - enough.low) / 2 <= half_width * 1.03
    few = share_of(round(count * 0.8 * expected), round(count * 0.8))
    assert few.low is not None
    assert few.high is not None
    assert (few.high - few.low) / 2 > half_width
