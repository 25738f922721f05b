"""Check how many shortcuts the device covers, why others stop, and which actions to add next."""

from benchloom.device.coverage import coverage_of, next_actions
from tests.benchloom.device.test_runs import shortcut_of


def test_coverage_counts_each_shortcut_once_with_its_stop_reason() -> None:
    """A shortcut can end although it contains an unsupported action that it does not reach."""
    supported = shortcut_of(("gettext", {"WFTextActionText": "x"}))
    stopped = shortcut_of(("gettext", {}), ("nosuchaction", {}))
    passed = shortcut_of(("exit", {}), ("nosuchaction", {}))
    result = coverage_of([supported, supported, stopped, passed, shortcut_of()])
    assert (result.shortcuts, result.covered, result.ended) == (3, 1, 2)
    assert result.reasons == {"unsupported action is.workflow.actions.nosuchaction": 1}
    (action,) = result.next
    assert (action.shortcuts, action.unlocks, action.covered) == (2, 2, 3)


def test_next_actions_are_ranked_after_adding_earlier_ones() -> None:
    """Earlier actions count as supported when the next action is ranked."""
    ordered = next_actions([["a"], ["a"], ["a", "b"], ["c"], ["d", "e", "f"], []])
    assert [action.identifier for action in ordered[:3]] == ["a", "b", "c"]
    assert [action.covered for action in ordered] == [3, 4, 5, 5, 5, 6]
