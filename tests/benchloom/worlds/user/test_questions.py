"""The user's grammar finds what is asked for, measured on questions that were written before it."""

import pytest

from benchloom.worlds.user.questions import Fact, requested
from tests.benchloom.worlds.user.labelled import FACTS, LATER, QUESTIONS

FIRST, SECOND = (
    [
        (name, *line.split("|"))
        for name, lines in questions.items()
        for line in lines.strip().splitlines()
    ]
    for questions in (QUESTIONS, LATER)
)

SCOPES = ["to delete", "to lock"]


def counts(lines: list[tuple[str, ...]]) -> tuple[int, int, int]:
    right = extra = missed = 0
    for name, question, labels in lines:
        facts = [
            Fact(label, value, value in {"True", "False"}) for label, value in FACTS[name].items()
        ]
        labels_requested = {fact.label for fact in requested(question, facts).facts}
        right += len(labels_requested & set(labels.split()))
        extra += len(labels_requested - set(labels.split()))
        missed += len(set(labels.split()) - labels_requested)
    return right, extra, missed


@pytest.mark.parametrize(
    ("lines", "recall"), [(FIRST[1::2], 0.95), (FIRST[::2], 0.9), (SECOND, 0.7)]
)
def test_no_question_brings_more_than_it_asks_for(
    lines: list[tuple[str, ...]], recall: float
) -> None:
    right, extra, missed = counts(lines)
    assert extra == 0
    assert right / (right + missed) >= recall


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("Which note should I delete?", ["to delete"]),
        ("What is the note to lock?", ["to lock"]),
        ("Please tell me the note to lock and the note to delete.", ["to lock", "to delete"]),
        ("Which note do you mean?", []),
    ],
)
def test_what_is_done_with_a_thing_tells_two_of_them_apart(question: str, slots: list[str]) -> None:
    facts = [Fact("note", f"The note {scope} is X.", scope=scope) for scope in SCOPES]
    request = requested(question, facts)
    assert [fact.scope for fact in request.facts] == slots
    assert [fact.scope for fact in request.unclear] == ([] if slots else SCOPES)
