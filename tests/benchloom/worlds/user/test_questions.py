"""The user's grammar finds what is asked for, measured on questions that were written before it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchloom.worlds.user.questions import Fact, requested

Case = tuple[list[Fact], str, set[str]]
"""The facts of a task, a question, and the labels of the facts that it asks for."""


def cases_in(text: str) -> Iterator[Case]:
    facts: list[Fact] = []
    for line in text.strip().splitlines():
        if line.startswith("@ "):
            values = msgspec.json.decode(line[2:], type=dict[str, str])
            facts = [Fact(label, each, each in {"True", "False"}) for label, each in values.items()]
        else:
            question, _, labels = line.partition("|")
            yield facts, question, set(labels.split())


_TEXT = (Path(__file__).parents[3] / "data/worlds/questions.txt").read_text(encoding="utf-8")
FIRST, SECOND = (list(cases_in(part.partition("\n")[2])) for part in _TEXT.split("\n## ")[1:])
SCOPES = ["to delete", "to lock"]


def counts(cases: list[Case]) -> tuple[int, int, int]:
    right = extra = missed = 0
    for facts, question, labels in cases:
        labels_requested = {fact.label for fact in requested(question, facts).facts}
        right += len(labels_requested & labels)
        extra += len(labels_requested - labels)
        missed += len(labels - labels_requested)
    return right, extra, missed


@pytest.mark.parametrize(
    ("cases", "recall"), [(FIRST[1::2], 0.95), (FIRST[::2], 0.9), (SECOND, 0.7)]
)
def test_no_question_brings_more_than_it_asks_for(cases: list[Case], recall: float) -> None:
    right, extra, missed = counts(cases)
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
