"""Check every text check through one suite, with precision and recall on the labelled sample."""

from collections.abc import Callable

import pytest

from prompts.checks import CHECKS, MAX_EVIDENCE, Check, checks_for
from prompts.checks.measure import Figures, Labelled, card_table, load_sample, measure
from prompts.steps import STEPS
from prompts.subject import Subject

NAMES = CHECKS.names()
Rows = tuple[Labelled, ...]
ROWS = load_sample()
LEAST_PRECISION = 0.75
LEAST_RECALL = 0.75
ODD_TEXTS = ("", " ", "\n", "\u202e\u200b", "a" * 100_000, "\U0001f600" * 50)


def figures_of(check: Check, rows: Rows) -> Figures:
    (check_figures,) = [entry for entry in measure(rows) if entry.check == check.name]
    return check_figures


def reaches_precision_and_recall_on_labels(check: Check, rows: Rows) -> None:
    figures = figures_of(check, rows)
    assert figures.right > 0, "the sample has no row that shows the check at work"
    assert figures.precision >= LEAST_PRECISION
    assert figures.recall >= LEAST_RECALL


def accepts_some_clean_texts(check: Check, rows: Rows) -> None:
    figures = figures_of(check, rows)
    assert figures.rows - figures.right - figures.wrong - figures.missed > 0


def gives_a_reason_for_odd_texts(check: Check, rows: Rows) -> None:
    del rows
    for text in ODD_TEXTS:
        for kind in sorted(check.kinds):
            finding = check.examine(Subject("q", kind, text))
            assert finding.kept == (finding.reason == "ok")
            assert finding.evidence
            assert len(finding.evidence) <= MAX_EVIDENCE


def is_listed_for_its_kinds(check: Check, rows: Rows) -> None:
    del rows
    assert all(check in checks_for(kind) for kind in check.kinds)


SUITE = (
    reaches_precision_and_recall_on_labels,
    accepts_some_clean_texts,
    gives_a_reason_for_odd_texts,
    is_listed_for_its_kinds,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", NAMES)
def test_contract(name: str, claim: Callable[[Check, Rows], None]) -> None:
    claim(CHECKS.find(name), ROWS)


def test_labelled_sample_has_clean_and_faulty_texts() -> None:
    assert len(ROWS) >= 60
    clean = sum(not row.faults for row in ROWS)
    assert 0.3 < clean / len(ROWS) < 0.7


def test_card_table_has_one_line_per_check() -> None:
    lines = card_table(ROWS).splitlines()
    assert [line.split("`")[1] for line in lines[2:]] == sorted(NAMES)


def test_every_step_is_judged_or_checked() -> None:
    for step in STEPS.all().values():
        assert step.judges or checks_for(step.kind), step.name
