"""Coverage of a collection of shortcuts: counts, reasons, and the order of what to add."""

from benchloom.device.coverage import coverage_of, next_actions
from tests.benchloom.device.test_runs import shortcut_of


def test_shortcuts_are_counted_once_with_the_reason_of_those_that_stop() -> None:
    """A shortcut can end although a branch that it does not take is not covered."""
    supported = shortcut_of(("gettext", {"WFTextActionText": "x"}))
    stopped = shortcut_of(("gettext", {}), ("nosuchaction", {}))
    passed = shortcut_of(("exit", {}), ("nosuchaction", {}))
    result = coverage_of([supported, supported, stopped, passed, shortcut_of()])
    assert (result.shortcuts, result.covered, result.ended) == (3, 1, 2)
    assert result.reasons == {"unsupported action is.workflow.actions.nosuchaction": 1}
    (action,) = result.next
    assert (action.shortcuts, action.unlocks, action.covered) == (2, 2, 3)


def test_next_actions_come_in_the_order_of_what_they_unlock() -> None:
    """Once the first is there, those that it leaves as the last missing one come next."""
    ordered = next_actions([["a"], ["a"], ["a", "b"], ["c"], ["d", "e", "f"], []])
    assert [action.identifier for action in ordered[:3]] == ["a", "b", "c"]
    assert [action.covered for action in ordered] == [3, 4, 5, 5, 5, 6]
