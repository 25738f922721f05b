"""Check which parameters become columns of an action, and the columns of the shortcut itself."""

import pytest

from benchloom.core.records import Icon
from demo.drafts import Draft
from tests.parsers.shortcuts.drafts import parse


def test_group_ids_and_modes_are_columns() -> None:
    draft = Draft("Blocks")
    draft.control("repeat.count", "A", 0, WFRepeatCount=2)
    draft.control("repeat.count", "A", 2.0)
    opening, closing = parse(draft).actions
    assert (opening.group, opening.mode, opening.control) == ("A", 0, "open")
    assert (closing.group, closing.mode, closing.control) == ("A", 2, "close")
    assert [argument.name for argument in opening.arguments] == ["WFRepeatCount"]


@pytest.mark.parametrize(
    ("name", "value", "expected_value"),
    [
        ("WFControlFlowMode", "0", '"0"'),
        ("WFControlFlowMode", True, "true"),
        ("WFControlFlowMode", 2**31, "2147483648"),
        ("GroupingIdentifier", ["A"], '["A"]'),
        ("UUID", 7, "7"),
        ("CustomOutputName", {"string": "x"}, '{"string":"x"}'),
    ],
)
def test_malformed_column_values_become_arguments(
    name: str, value: object, expected_value: str
) -> None:
    draft = Draft("Odd")
    draft.raw("is.workflow.actions.repeat.count", {name: value})
    (action,) = parse(draft).actions
    assert [(argument.name, argument.value) for argument in action.arguments] == [
        (name, expected_value)
    ]
    assert (action.group, action.mode) == (None, None)


def test_input_classes_surfaces_and_icon_are_columns() -> None:
    draft = Draft("Root")
    draft.root["WFWorkflowTypes"] = ["WatchKit", 7]
    draft.root["WFWorkflowIcon"] = {
        "WFWorkflowIconStartColor": -1,
        "WFWorkflowIconGlyphNumber": "x",
    }
    row = parse(draft)
    assert row.input_classes == ("WFStringContentItem", "WFURLContentItem")
    assert row.surfaces == ("WatchKit",)
    assert row.icon == Icon(-1, None)
    draft.root["WFWorkflowIcon"] = []
    assert parse(draft).icon is None
