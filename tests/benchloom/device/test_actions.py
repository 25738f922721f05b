"""Every action of the device runs its examples."""

import re

import pytest

from benchloom.device.actions import all_actions
from benchloom.device.call import Function
from benchloom.device.conformance.kit import all_examples

LEAST_EXAMPLES = 3
LEAST_LINKED = 35
_GUIDE = "https://support.apple.com/guide/shortcuts"
_PAGE = re.compile(rf"{_GUIDE}(-mac/apd[0-9a-f]{{9}}/mac|/apd[0-9a-f]{{9}}/ios)")


@pytest.mark.parametrize(("identifier", "function"), all_actions().items())
def test_examples(identifier: str, function: Function) -> None:
    """An action has a docstring and three examples, each with the expected output and a source."""
    assert function.__doc__
    cases = [case for case in all_examples() if case.identifier == identifier]
    assert len({case.name for case in cases}) == len(cases) >= LEAST_EXAMPLES
    for case in cases:
        assert case.run() == case.output, case.name
        assert case.source == "guess" or _PAGE.fullmatch(case.source)


def test_every_example_is_of_an_action() -> None:
    assert {case.identifier for case in all_examples()} == all_actions().keys()


def test_actions_that_apple_describes_are_linked() -> None:
    assert (
        len({case.identifier for case in all_examples() if case.source != "guess"}) >= LEAST_LINKED
    )
