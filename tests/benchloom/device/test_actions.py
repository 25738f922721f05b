"""Every action of the device runs its own examples."""

import re

import pytest

from benchloom.device.actions import all_actions
from benchloom.device.call import GUESS, GUIDE, ActionOf
from benchloom.device.running import run_action

LEAST_EXAMPLES = 3
LEAST_LINKED = 35
_PAGE = re.compile(rf"{GUIDE}(-mac/apd[0-9a-f]{{9}}/mac|/apd[0-9a-f]{{9}}/ios)")


@pytest.mark.parametrize("action", all_actions().values(), ids=lambda action: action.identifier)
def test_examples(action: ActionOf) -> None:
    """An action has at least three examples, each with the expected output, and a source."""
    assert len(action.examples) >= LEAST_EXAMPLES
    assert action.source == GUESS or _PAGE.fullmatch(action.source)
    assert action.function.__doc__
    for example in action.examples:
        output = run_action(action.identifier, example.parameters, example.input)
        assert output == example.output, example.parameters


def test_actions_that_apple_describes_are_linked() -> None:
    linked = [action for action in all_actions().values() if action.source != GUESS]
    assert len(linked) >= LEAST_LINKED
