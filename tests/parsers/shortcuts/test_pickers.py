"""Check descriptions of pickers (the displayed choice) and of untitled menu cases (their item)."""

import pytest

from demo.drafts import Draft
from tests.parsers.shortcuts.drafts import describe


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"BundleIdentifier": "org.fern", "Name": "Fern", "TeamIdentifier": "AB"}, '"Fern"'),
        ({"BundleIdentifier": "org.fern"}, '"org.fern"'),
        ({"Identifier": "5", "DisplayString": "Chores"}, '"Chores"'),
        ({"identifier": "m", "title": {"key": "Small"}, "subtitle": {"key": "s"}}, '"Small"'),
        ({"workflowIdentifier": "A", "workflowName": "Walk", "isSelf": False}, '"Walk"'),
        (
            {"workflowIdentifier": "A", "workflowName": "Walk", "isSelf": True},
            '"Walk" (this shortcut)',
        ),
        ({"WFNSUnitSymbol": "MB", "WFNSUnitType": "Information Storage"}, "MB"),
        ({"isCurrentLocation": True, "placemark": {}}, "[current location]"),
        ({"WFContactFieldValues": [{"WFContactData": b"x"}]}, "[1 contact]"),
        ({"Name": "Fern", "Colour": "green"}, '{Colour: "green", Name: "Fern"}'),
    ],
)
def test_picker_value_is_described_by_its_displayed_name(value: object, words: str) -> None:
    draft = Draft("t")
    draft.add("openapp", WFSelectedApp=value)
    assert describe(draft) == [f"openapp(WFSelectedApp={words})"]


@pytest.mark.parametrize(
    ("entries", "words"), [(["Tea", "Milk"], '"Milk"'), (["Tea"], "2"), (["Tea", ""], "2")]
)
def test_untitled_case_is_described_by_its_item_or_number(entries: object, words: str) -> None:
    draft = Draft("t")
    menu = {"GroupingIdentifier": "g", "WFControlFlowMode": 0, "WFMenuItems": entries}
    draft.add("choosefrommenu", **menu)
    draft.add("choosefrommenu", GroupingIdentifier="g", WFControlFlowMode=1, WFMenuItemTitle="Tea")
    draft.add("choosefrommenu", GroupingIdentifier="g", WFControlFlowMode=1)
    draft.add("choosefrommenu", GroupingIdentifier="g", WFControlFlowMode=2)
    assert describe(draft)[2] == f"Case {words}"
