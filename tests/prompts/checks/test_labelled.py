"""Check what the rules decide on labelled texts, half of them unseen when rules were written."""

from collections import Counter
from pathlib import Path

import pytest

from prompts.checks.measure import load_sample, with_table
from tests.support.labelled_texts import load_texts

SAMPLE = "labelled_sample.yaml"
CARD = Path(__file__).parents[3] / "datasets/verdicts/card.md"

LEAST = {
    "good": 0.9,
    "terse": 0.9,
    "flawed": 0.85,
    "label": 0.95,
    "flawed_label": 0.65,
    "judged": 0.85,
    "misjudged": 0.9,
}


@pytest.mark.parametrize("held_out", [False, True], ids=["tuning", "held out"])
def test_rules_keep_good_and_drop_flawed_texts(*, held_out: bool) -> None:
    rows: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for text in load_texts():
        if text.held_out == held_out:
            rows[text.group] += 1
            right[text.group] += bool(text.drops()) == bool(text.flaw)
    shares = {group: right[group] / count for group, count in rows.items()}
    assert {group for group in LEAST if shares[group] < LEAST[group]} == set()


def test_labelled_sample_is_large_and_without_duplicates() -> None:
    texts = load_texts()
    assert len(texts) >= 320
    assert max(Counter((t.group, t.subject.query_id) for t in texts).values()) == 1


def test_card_contains_the_current_table() -> None:
    # The card may lack a new rule's line until the table is regenerated; other lines must match.
    card = CARD.read_text("utf-8")
    current = with_table(card, load_sample(pattern=SAMPLE))
    assert set(card.splitlines()) <= set(current.splitlines()), (
        "run: python -m prompts.checks datasets/verdicts/card.md"
    )
