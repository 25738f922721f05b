"""Measure the rules on the labelled texts, whose targets come from the real archives."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from prompts.checks import checks_for
from prompts.subject import Subject
from tests.prompts.labelled.faithful_judge import judge_keeps
from tests.prompts.labelled.targets import build_cases, load_targets
from tests.prompts.labelled.texts import (
    BEYOND_RULES,
    Cases,
    LabelledText,
    judgement_of,
    load_texts,
    subject_of,
)

TEXTS = load_texts()
LEAST_GOOD_KEPT = 0.93
LEAST_FLAWS_CAUGHT = 0.9
LEAST_FLAWS_WITH_JUDGE = 0.95
JUDGED = ("queries", "instructions", "labels")


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return build_cases(tmp_path_factory.mktemp("targets"))


def is_kept(file: str, text: LabelledText, cases: Cases) -> bool:
    """Return whether all rules keep the text, after its run's earlier text if it has one."""
    if file == "parameters":
        return is_kept_after(judgement_of(text, cases), ())
    earlier_subjects = (subject_of(file, text.after, cases),) if text.after else ()
    return is_kept_after(subject_of(file, text, cases), earlier_subjects)


def is_kept_after(subject: Subject, earlier_subjects: tuple[Subject, ...]) -> bool:
    examiners = [check.examiner() for check in checks_for(subject.kind)]
    for examine in examiners:
        for earlier in earlier_subjects:
            examine(earlier)
    return all(examine(subject).kept for examine in examiners)


def test_labelled_texts_cover_every_kind_of_flaw() -> None:
    texts = [text for rows in TEXTS.values() for text in rows]
    flaws = Counter(text.flaw for text in texts)
    assert len(texts) >= 200
    assert flaws[""] >= 90
    assert len(flaws) > 30
    assert min(flaws.values()) >= 2
    held_out_count = sum(text.held_out for text in texts)
    assert 0.4 < held_out_count / len(texts) < 0.6
    targets = load_targets()
    assert {text.target for text in texts} <= {*targets.shortcuts, *targets.plans}


@pytest.mark.real_data
@pytest.mark.parametrize("held_out", [False, True], ids=["tuned on", "held out"])
def test_rules_keep_good_texts_and_catch_flaws(
    cases: Cases, capsys: pytest.CaptureFixture[str], *, held_out: bool
) -> None:
    totals: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for file, texts in TEXTS.items():
        for text in texts:
            if text.held_out == held_out:
                name = text.flaw or f"good {file}"
                totals[name] += 1
                right[name] += is_kept(file, text, cases) == (not text.flaw)
    with capsys.disabled():
        sys.stdout.write(f"\n{'held out' if held_out else 'tuned on'}\n")
        sys.stdout.writelines(
            f"{right[kind]:>3}/{totals[kind]:<3} {kind}\n" for kind in sorted(totals)
        )
    good = [kind for kind in totals if kind.startswith("good ")]
    flaws_for_rules = [kind for kind in totals if kind not in good and kind not in BEYOND_RULES]
    assert share(right, totals, good) >= LEAST_GOOD_KEPT
    assert share(right, totals, flaws_for_rules) >= LEAST_FLAWS_CAUGHT


@pytest.mark.real_data
def test_rules_with_a_judge_catch_nearly_all_flaws(
    cases: Cases, capsys: pytest.CaptureFixture[str]
) -> None:
    totals: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for file, text in ((file, text) for file, texts in TEXTS.items() for text in texts):
        is_text_kept = is_kept(file, text, cases)
        if file in JUDGED:
            subject = subject_of(file, text, cases)
            is_text_kept = is_text_kept and judge_keeps(file, text, subject, cases)
        name = text.flaw or "good"
        totals[name] += 1
        right[name] += is_text_kept == (not text.flaw)
    flaws = [name for name in totals if name != "good"]
    with capsys.disabled():
        sys.stdout.write(f"\nwith a judge: {share(right, totals, flaws):.3f} of the flaws, ")
        sys.stdout.write(f"{share(right, totals, ['good']):.3f} of the good\n")
    assert share(right, totals, flaws) >= LEAST_FLAWS_WITH_JUDGE
    assert share(right, totals, ["good"]) >= LEAST_GOOD_KEPT


def share(right: Counter[str], totals: Counter[str], names: list[str]) -> float:
    return sum(right[name] for name in names) / sum(totals[name] for name in names)


def test_target_list_contains_no_shortcut_files() -> None:
    listed = (Path(__file__).parent / "targets.yaml").read_text()
    assert ".plist" not in listed
