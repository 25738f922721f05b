"""Last words of agents are decided as they were labelled."""

from benchloom.worlds.runs.scoring import declines
from tests.benchloom.worlds.answers.labelled import REPLIES

MOST_MISSED = 2


def _labelled(mark: str) -> list[str]:
    lines = (REPLIES / "declining_set.txt").read_text(encoding="utf-8").splitlines()
    return [line[2:].replace("\\n", "\n") for line in lines if line.startswith(mark)]


def test_replies_that_decline_are_told_from_others() -> None:
    missed = [text for text in _labelled("+ ") if not declines(text)]
    assert len(missed) <= MOST_MISSED, missed
    assert [text for text in _labelled("- ") if declines(text)] == []
