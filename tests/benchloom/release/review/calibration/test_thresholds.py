"""Tests of calibration: scripted judges and people whose faults are known beforehand."""

import itertools
from pathlib import Path

import pytest

from benchloom.core.errors import NothingReadError
from benchloom.release.review.calibration import calibrate, read_labels
from benchloom.release.review.calibration.agreement import agreement_of
from benchloom.release.review.calibration.ratings import (
    ALL,
    PANEL,
    RULES,
    CalibrationError,
    Rating,
    by_rater,
)
from benchloom.release.review.calibration.report import calibration_lines
from benchloom.release.review.calibration.thresholds import Reliability

TEXTS = [f"query-{number:03d}" for number in range(200)]
GOOD = {text: number % 5 != 0 for number, text in enumerate(TEXTS)}
"""The true quality of each text: 160 are good, 40 are flawed."""


def person_ratings(name: str = "ann", wrong: int = 0) -> list[Rating]:
    """Return ratings of a person who is wrong about the first `wrong` texts."""
    return [
        Rating(text, f"human:{name}", GOOD[text] is not (number < wrong))
        for number, text in enumerate(TEXTS)
    ]


def judge_ratings(name: str, drops_good: int, misses: int, step: int = 1) -> list[Rating]:
    """Return ratings of a judge with so many dropped good texts and missed flawed ones."""
    good = [text for text in TEXTS if GOOD[text]][::step][:drops_good]
    flawed = [text for text in TEXTS if not GOOD[text]][::-1][:misses]
    return [
        Rating(text, name, (GOOD[text] or text in flawed) and text not in good) for text in TEXTS
    ]


def reliability_of(reliabilities: tuple[Reliability, ...], rater: str) -> Reliability:
    """Return the reliability of one rater."""
    (rater_reliability,) = [
        reliability for reliability in reliabilities if reliability.rater == rater
    ]
    return rater_reliability


def test_reliability_counts_the_known_faults_of_three_judges() -> None:
    faults_by_judge = {"strict": (40, 0), "lenient": (0, 30), "even": (8, 8)}
    ratings = [*person_ratings()]
    for name, faults in faults_by_judge.items():
        ratings += judge_ratings(f"faithfulness:{name}", *faults)
    calibration = calibrate(ratings)
    assert (calibration.labelled, calibration.good, calibration.undecided) == (200, 160, 0)
    for name, (drops_good, misses) in faults_by_judge.items():
        reliability = reliability_of(calibration.raters, f"faithfulness:{name}")
        hits = 40 - misses
        assert (reliability.precision.hits, reliability.precision.of) == (hits, hits + drops_good)
        assert (reliability.recall.hits, reliability.recall.of) == (hits, 40)
        assert (reliability.good_kept.hits, reliability.good_kept.of) == (160 - drops_good, 160)
        assert (reliability.kept_good.hits, reliability.kept_good.of) == (
            160 - drops_good,
            160 - drops_good + misses,
        )
    panel = reliability_of(calibration.raters, PANEL)
    # The panel drops a text if two of three judges do: 32 flawed and 8 good texts.
    assert (panel.recall.hits, panel.good_kept.hits) == (32, 152)
    assert calibration.people is None
    assert calibration.judges is not None
    assert calibration.judges.texts == 200


def test_all_rules_together_keep_only_texts_that_each_rule_keeps() -> None:
    rules = [*judge_ratings("cut_off", 4, 38), *judge_ratings("prompt_echo", 0, 36)]
    calibration = calibrate([*person_ratings(), *rules, *judge_ratings("faithfulness:one", 0, 0)])
    together = reliability_of(calibration.raters, RULES)
    assert (together.recall.hits, together.good_kept.hits) == (4, 156)
    overall_reliability = reliability_of(calibration.raters, ALL)
    assert (overall_reliability.recall.hits, overall_reliability.good_kept.hits) == (40, 156)


def test_agreement_of_two_reviewers_with_known_disagreement() -> None:
    calibration = calibrate([*person_ratings("ann"), *person_ratings("ben", wrong=20)])
    assert calibration.people is not None
    assert (calibration.people.texts, calibration.people.equal) == (200, 180)
    assert (calibration.undecided, calibration.labelled) == (20, 200)
    # Observed disagreement 0.1; expected from the 400 words: 2 * keeps * drops / (400 * 399).
    keeps = 160 + 160 - 16 + 4
    expected = 2 * keeps * (400 - keeps) / (400 * 399)
    assert calibration.people.alpha == pytest.approx(1 - 0.1 / expected)


def test_alpha_of_the_published_example() -> None:
    # Krippendorff, Computing Krippendorff's alpha-reliability, 2011, part B: two raters, ten units,
    # of 20 values 14 are 0 and 6 are 1, and on four units they differ.
    first, second = "0100000000", "1110010010"
    ratings = [
        Rating(str(number), f"human:{name}", value == "1")
        for name, row in (("a", first), ("b", second))
        for number, value in enumerate(row)
    ]
    alpha = agreement_of(by_rater(ratings)).alpha
    assert alpha == pytest.approx(0.095, abs=5e-4)


def test_alpha_is_undefined_if_all_ratings_are_equal() -> None:
    ratings = [Rating(text, f"human:{name}", kept=True) for text in "xy" for name in "ab"]
    assert agreement_of(by_rater(ratings)).alpha is None


def test_threshold_is_the_lowest_score_with_the_target_precision() -> None:
    truth = [
        ("a", 9.0, True),
        ("b", 8.0, True),
        ("c", 7.0, False),
        ("d", 6.0, True),
        ("e", 5.0, True),
    ]
    ratings = [Rating(name, "human:ann", good) for name, _, good in truth]
    ratings += [Rating(name, "score", score > 5, score) for name, score, _ in truth]
    for target_precision, score, kept_count in ((0.75, 5.0, 4), (0.95, 8.0, 2)):
        threshold = reliability_of(calibrate(ratings, target_precision).raters, "score").threshold
        assert threshold is not None
        assert (threshold.score, threshold.kept_good.hits, threshold.kept_good.of) == (
            score,
            kept_count,
            4,
        )
    assert (
        reliability_of(
            calibrate([*ratings[:5], Rating("c", "score", kept=True, score=9.5)]).raters, "score"
        ).threshold
        is None
    )


def test_equal_scores_are_on_the_same_side_of_a_threshold() -> None:
    ratings = [Rating(name, "human:ann", name != "c") for name in "abc"]
    ratings += [Rating(name, "score", kept=True, score=8.0) for name in "abc"]
    assert reliability_of(calibrate(ratings).raters, "score").threshold is None


def test_calibration_is_independent_of_the_order_of_ratings() -> None:
    ratings = [
        *person_ratings("ann"),
        *person_ratings("ben", 3),
        *judge_ratings("cut_off", 2, 2),
        *judge_ratings("faithfulness:m", 1, 5),
    ]
    assert calibrate(ratings) == calibrate(ratings[::-1])


def test_ratings_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(NothingReadError, match="no text has a label"):
        calibrate(judge_ratings("cut_off", 0, 0))
    with pytest.raises(CalibrationError, match="no labelled text was judged"):
        calibrate([Rating("elsewhere", "human:ann", kept=True), *judge_ratings("cut_off", 0, 0)])
    with pytest.raises(CalibrationError, match="has two different verdicts on query-000"):
        calibrate([*person_ratings(), *person_ratings(wrong=1)])
    for target_precision in (0.0, 1.5, float("nan")):
        with pytest.raises(CalibrationError, match="the target precision is"):
            calibrate(person_ratings(), target_precision)


@pytest.mark.parametrize(
    "line",
    ["{}", "7", '{"target_id": "a"}', '{"target_id": "a", "kept": "yes"}', "\udcff", "[" * 5_000],
)
def test_invalid_label_is_reported_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "labels.jsonl"
    good = '{"target_id": "a", "kept": true}'
    path.write_bytes(f"{good}\n\n{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(CalibrationError, match="line 3 is not a label"):
        list(read_labels(path))
    with pytest.raises(CalibrationError, match="No such file"):
        list(read_labels(tmp_path / "none"))


def test_calibration_table_has_a_line_for_each_check() -> None:
    ratings = [
        *person_ratings("ann"),
        *person_ratings("ben", 3),
        *judge_ratings("cut_off", 2, 2),
        *judge_ratings("faithfulness:m", 1, 5),
    ]
    lines = list(calibration_lines(calibrate(ratings)))
    rows = [
        line.split(" | ")[0].lstrip("| ")
        for line in itertools.dropwhile(lambda line: "---" not in line, lines)
    ]
    assert sorted(rows[1 : rows.index("")]) == sorted(
        ["cut_off", "faithfulness:m", ALL, RULES, PANEL]
    )
    assert any(line.startswith("people: 2 raters, 197 of 200 texts alike") for line in lines)
