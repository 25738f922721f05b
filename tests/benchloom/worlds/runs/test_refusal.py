"""Last words of agents are decided as they were labelled."""

from benchloom.worlds.runs.scoring import declines
from tests.benchloom.worlds.runs.labelled_refusals import DECLINES, DOES_NOT


def test_replies_that_decline_are_told_from_others() -> None:
    missed = [text for text in DECLINES if not declines(text)]
    assert len(missed) <= 0.02 * len(DECLINES), missed
    assert [text for text in DOES_NOT if declines(text)] == []
