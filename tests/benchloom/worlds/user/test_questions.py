"""The user's grammar finds what is asked for, measured on questions that were written before it."""

import pytest

from benchloom.worlds.user.questions import Fact, requested
from tests.benchloom.worlds.user.labelled import FACTS, QUESTIONS

LINES = [
    (name, *line.split("|"))
    for name, lines in QUESTIONS.items()
    for line in lines.strip().splitlines()
]


def counts(lines: list[tuple[str, ...]]) -> tuple[int, int, int]:
    right = extra = missed = 0
    for name, question, labels in lines:
        facts = [
            Fact(label, value, value in {"True", "False"}) for label, value in FACTS[name].items()
        ]
        told = {fact.label for fact in requested(question, facts).facts}
        right += len(told & set(labels.split()))
        extra += len(told - set(labels.split()))
        missed += len(set(labels.split()) - told)
    return right, extra, missed


@pytest.mark.parametrize(("first", "precision", "recall"), [(1, 0.95, 0.95), (0, 0.9, 0.8)])
def test_precision_and_recall_on_labelled_questions(
    first: int, precision: float, recall: float
) -> None:
    right, extra, missed = counts(LINES[first::2])
    assert right / (right + extra) >= precision
    assert right / (right + missed) >= recall
