"""Check that final replies of agents that decline the request are recognised."""

from benchloom.worlds.runs.scoring import declines
from tests.benchloom.worlds.answers.labelled_replies import REPLIES

MAX_MISSED = 2


def _read_replies(mark: str) -> list[str]:
    """Return the hand-labelled replies whose lines begin with a mark."""
    lines = (REPLIES / "declining_set.txt").read_text(encoding="utf-8").splitlines()
    return [line[2:].replace("\\n", "\n") for line in lines if line.startswith(mark)]


def test_declining_replies_are_recognised() -> None:
    missed = [text for text in _read_replies("+ ") if not declines(text)]
    assert len(missed) <= MAX_MISSED, missed
    assert [text for text in _read_replies("- ") if declines(text)] == []
