"""Check that every action of the device returns the outputs of its examples."""

import re

import pytest

from benchloom.device.actions import all_actions
from benchloom.device.call import Function
from benchloom.device.conformance.kit import all_examples

MIN_EXAMPLES = 3
MIN_LINKED = 35
_GUIDE = "https://support.apple.com/guide/shortcuts"
_PAGE = re.compile(rf"{_GUIDE}(-mac/apd[0-9a-f]{{9}}/mac|/apd[0-9a-f]{{9}}/ios)")


@pytest.mark.parametrize(("identifier", "function"), all_actions().items())
def test_action_returns_the_outputs_of_its_examples(identifier: str, function: Function) -> None:
    """An action has a docstring and three examples, each with the expected output and a source."""
    assert function.__doc__
    cases = [case for case in all_examples() if case.identifier == identifier]
    assert len({case.name for case in cases}) == len(cases) >= MIN_EXAMPLES
    for case in cases:
        assert case.run() == case.output, case.name
        assert case.source == "guess" or _PAGE.fullmatch(case.source)


def test_examples_cover_exactly_the_known_actions() -> None:
    assert {case.identifier for case in all_examples()} == all_actions().keys()


def test_documented_actions_link_to_the_guide_of_apple() -> None:
    assert len({case.identifier for case in all_examples() if case.source != "guess"}) >= MIN_LINKED
