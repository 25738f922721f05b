"""Every check runs through this suite; its figures come from the labelled sample."""

import sys

import pytest

from prompts.checks import CHECKS, checks_for
from prompts.checks.base import MAX_EVIDENCE
from prompts.checks.measure import Figures, load_sample, measure, report
from prompts.talks.subject import Subject

NAMES = sorted(CHECKS.all())
ROWS = load_sample()
LEAST_PRECISION = 0.75
LEAST_RECALL = 0.75


@pytest.fixture(params=NAMES)
def figures(request: pytest.FixtureRequest) -> Figures:
    (found,) = [entry for entry in measure(ROWS) if entry.check == request.param]
    return found


def test_the_sample_is_large_enough_and_mixed() -> None:
    assert len(ROWS) >= 60
    clean = sum(not row.faults for row in ROWS)
    assert 0.3 < clean / len(ROWS) < 0.7


def test_precision_and_recall(figures: Figures) -> None:
    assert figures.right > 0, "the sample has no row that shows the check at work"
    assert figures.precision >= LEAST_PRECISION
    assert figures.recall >= LEAST_RECALL


def test_every_check_keeps_clean_texts(figures: Figures) -> None:
    assert figures.rows - figures.right - figures.wrong - figures.missed > 0


def test_the_report_names_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    lines = report(ROWS)
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert all(any(line.startswith(name) for line in lines) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", " ", "\n", "\u202e\u200b", "a" * 100_000, "\U0001f600" * 50])
def test_odd_texts_get_a_finding(name: str, text: str) -> None:
    check = CHECKS.all()[name]
    for kind in sorted(check.kinds):
        finding = check.examine(Subject("q", kind, text))
        assert finding.kept == (finding.reason == "ok")
        assert finding.evidence
        assert len(finding.evidence) <= MAX_EVIDENCE


def test_every_kind_of_text_has_checks() -> None:
    for kind in ("query", "instruction", "category", "nested", "dialogue", "parameters"):
        assert checks_for(kind), kind
