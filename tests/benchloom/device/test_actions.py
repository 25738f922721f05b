"""Every action of the device runs its own examples."""

import pytest

from benchloom.device.actions import all_actions
from benchloom.device.call import GUESS, ActionOf
from benchloom.device.running import run_action

LEAST_EXAMPLES = 3


@pytest.mark.parametrize("action", all_actions().values(), ids=lambda action: action.identifier)
def test_examples(action: ActionOf) -> None:
    """An action has at least three examples, each with the expected output, and a source."""
    assert len(action.examples) >= LEAST_EXAMPLES
    assert action.source == GUESS or action.source.startswith("https://")
    assert action.function.__doc__
    for example in action.examples:
        output = run_action(action.identifier, example.parameters, example.input)
        assert output == example.output, example.parameters
