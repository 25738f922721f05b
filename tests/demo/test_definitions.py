"""Check that the demo's definitions are read completely and fit the shared shortcuts."""

import json
from pathlib import Path

import pytest

from demo.replica.shared import shared_shortcuts
from parsers.definitions import DefinitionContext
from parsers.definitions.wfactions import FORMAT
from parsers.shortcuts import parse_shortcut

DATA = (Path(__file__).parents[2] / "demo/definitions/WFActions.json").read_bytes()


def test_definitions_are_read_without_problems() -> None:
    parsed = FORMAT.parse(DATA, DefinitionContext("WFActions.json"))
    assert not parsed.problems
    assert {definition.api for definition in parsed.definitions} == json.loads(DATA).keys()
    for definition in parsed.definitions:
        assert not definition.unknown, definition.api
        assert not definition.oddities, definition.api
        assert definition.title
        assert (definition.description or "").endswith(".")
        # A summary contains only declared parameters.
        names = {parameter.name for parameter in definition.parameters}
        assert all(names >= set(summary.parameters) for summary in definition.summaries)
        assert definition.summaries


@pytest.mark.parametrize("number", range(12))
def test_shared_shortcuts_use_declared_parameters_and_outputs(number: int) -> None:
    parsed = FORMAT.parse(DATA, DefinitionContext("WFActions.json"))
    by_api = {definition.api: definition for definition in parsed.definitions}
    shortcut = parse_shortcut(shared_shortcuts()[number].data, "made")
    for action in shortcut.actions:
        if action.control:
            continue
        definition = by_api[action.identifier]
        declared = {parameter.name for parameter in definition.parameters}
        assert {argument.name for argument in action.arguments} <= declared
    outputs = {
        returned.name for definition in parsed.definitions for returned in definition.returns
    }
    for action in shortcut.actions:
        for argument in action.arguments:
            output_names = {ref.output for ref in argument.references if ref.kind == "output"}
            assert output_names <= outputs
