"""Parameters that are columns of an action, and what the root says beside the actions."""

import pytest

from benchloom.core.records import Icon
from demo.drafts import Draft
from tests.parsers.shortcuts.drafts import parse


def test_ids_and_modes_of_blocks_are_columns() -> None:
    draft = Draft("Blocks")
    draft.control("repeat.count", "A", 0, WFRepeatCount=2)
    draft.control("repeat.count", "A", 2.0)
    opening, closing = parse(draft).actions
    assert (opening.group, opening.mode, opening.control) == ("A", 0, "open")
    assert (closing.group, closing.mode, closing.control) == ("A", 2, "close")
    assert [argument.name for argument in opening.arguments] == ["WFRepeatCount"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("WFControlFlowMode", "0", '"0"'),
        ("WFControlFlowMode", True, "true"),
        ("WFControlFlowMode", 2**31, "2147483648"),
        ("GroupingIdentifier", ["A"], '["A"]'),
        ("UUID", 7, "7"),
        ("CustomOutputName", {"string": "x"}, '{"string":"x"}'),
    ],
)
def test_what_no_column_can_hold_is_an_argument(name: str, value: object, told: str) -> None:
    draft = Draft("Odd")
    draft.raw("is.workflow.actions.repeat.count", {name: value})
    (action,) = parse(draft).actions
    assert [(argument.name, argument.value) for argument in action.arguments] == [(name, told)]
    assert (action.group, action.mode) == (None, None)


def test_what_a_shortcut_takes_and_where_it_is_offered() -> None:
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
