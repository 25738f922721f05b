"""Check which facts the grammar of the user finds in questions that were labelled by hand."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchloom.worlds.user.questions import Fact, requested

Case = tuple[list[Fact], str, set[str]]
"""The facts of a task, a question, and the labels of the facts that it asks for."""


def parse_cases(text: str) -> Iterator[Case]:
    """Yield the labelled questions of a text with the facts of their tasks."""
    facts: list[Fact] = []
    for line in text.strip().splitlines():
        if line.startswith("@ "):
            values = msgspec.json.decode(line[2:], type=dict[str, str])
            facts = [
                Fact(label, value, value in {"True", "False"}) for label, value in values.items()
            ]
        else:
            question, _, labels = line.partition("|")
            yield facts, question, set(labels.split())


_TEXT = (Path(__file__).parents[3] / "data/worlds/questions.txt").read_text(encoding="utf-8")
FIRST, SECOND = (list(parse_cases(part.partition("\n")[2])) for part in _TEXT.split("\n## ")[1:])
SCOPES = ["to delete", "to lock"]


def count_labels(cases: list[Case]) -> tuple[int, int, int]:
    """Return the numbers of right, extra and missed labels."""
    right = extra = missed = 0
    for facts, question, labels in cases:
        requested_labels = {fact.label for fact in requested(question, facts).facts}
        right += len(requested_labels & labels)
        extra += len(requested_labels - labels)
        missed += len(labels - requested_labels)
    return right, extra, missed


@pytest.mark.parametrize(
    ("cases", "recall"), [(FIRST[1::2], 0.95), (FIRST[::2], 0.9), (SECOND, 0.7)]
)
def test_questions_return_no_extra_facts(cases: list[Case], recall: float) -> None:
    right, extra, missed = count_labels(cases)
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
def test_planned_action_distinguishes_two_facts(question: str, slots: list[str]) -> None:
    facts = [Fact("note", f"The note {scope} is X.", scope=scope) for scope in SCOPES]
    request = requested(question, facts)
    assert [fact.scope for fact in request.facts] == slots
    assert [fact.scope for fact in request.unclear] == ([] if slots else SCOPES)
