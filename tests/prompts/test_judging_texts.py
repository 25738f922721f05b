"""Check that texts are judged singly and then compared with the texts kept so far."""

import pytest

from benchloom.core.records import Query
from prompts.checks import checks_for, dropped, passing
from prompts.inputs.planning_paths import PathInput
from prompts.results.rows import Judge, TextFindings
from prompts.steps import STEPS

TEXT = "Please book the small room by the lake for two nights from the third of June."
STEP = STEPS.find("instruction")


def query(number: int, *, kept: bool = True) -> Query:
    return Query(
        query_id=f"query:sha256:{number}", target_id=f"plan:sha256:{number}", kind="instruction",
        text=TEXT, structured=None, prompt_digest=None, completion_digest=None, model=None,
        generator="llm", tokens_in=0, tokens_out=0, usd=0.0, kept=kept,
    )  # fmt: skip


def text_findings(*, passes: bool) -> TextFindings:
    """Return findings of the checks of single texts, with a fault unless `passes`."""
    findings = [
        passing("fine") if check.comparison is None else None for check in checks_for(STEP.kind)
    ]
    first = next(number for number, finding in enumerate(findings) if finding is not None)
    if not passes:
        findings[first] = dropped("left_out", "a value")
    return TextFindings(tuple(findings))


@pytest.mark.parametrize("faulty", [(), (0,), (0, 1, 2), (3,), (0, 5), (0, 1, 2, 3, 4)])
def test_first_passing_text_of_equal_texts_is_kept(faulty: tuple[int, ...]) -> None:
    judge = Judge(STEP.kind)
    judged = [
        judge.decide(query(number), text_findings(passes=number not in faulty))
        for number in range(6)
    ]
    first = next(number for number in range(6) if number not in faulty)
    assert [row.kept for row, _ in judged] == [number == first for number in range(6)]
    likeness = [
        verdict.kept
        for _, verdicts in judged
        for verdict in verdicts
        if verdict.check == "near_duplicate"
    ]
    assert likeness == [number <= first for number in range(6)]


def test_resumed_run_compares_with_its_kept_texts() -> None:
    for was_kept in (True, False):
        judge = Judge(STEP.kind)
        judge.remember(STEP, PathInput((), (), (), ()), query(0, kept=was_kept))
        row, _ = judge.decide(query(1), text_findings(passes=True))
        assert row.kept is not was_kept
