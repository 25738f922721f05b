"""Check that filled summaries start with a verb and describe unset fields as the app does."""

import pytest

from benchloom.core.records import (
    ApiDefinition,
    Argument,
    Dependency,
    EnumValue,
    Parameter,
    Summary,
)
from parsers.shortcuts.wording.filled_summaries import describe_calls, in_current_form
from tests.support.samples.shortcuts import action, argument

SHORTCUT_INPUT = "[input of the shortcut]"
OFFSET = "WFAdjustOffsetPicker"
DURATION = {
    "Value": {"Magnitude": 2, "Unit": "hr"},
    "WFSerializationType": "WFQuantityFieldValue",
}


def parameter(name: str, kind: str = "primitive", **fields: object) -> Parameter:
    return Parameter(name=name, type="String", type_kind=kind, **fields)  # type: ignore[arg-type]  # fields by name


def definition(name: str, templates: tuple[str, ...], *parameters: Parameter) -> ApiDefinition:
    return ApiDefinition(
        definition_id="api:test:1",
        api=f"is.workflow.actions.{name}",
        app="is.workflow.actions",
        source_kind="wfactions",
        title="Pebble",
        parameters=parameters,
        summaries=tuple(summary(template) for template in templates),
        source_uri="x",
        source_digest="file:x",
    )


def summary(template: str) -> Summary:
    names = tuple(part.split("}")[0] for part in template.split("${")[1:])
    condition = Dependency("WFAdjustOperation", "==", ('"Subtract"',))
    return Summary(template, names, (condition,) if " from ${WFDate}" in template else ())


ADJUST = definition(
    "adjustdate",
    ("${WFAdjustOperation} ${WFDuration} from ${WFDate}",
     "${WFAdjustOperation} ${WFDuration} to ${WFDate}"),
    parameter("WFAdjustOperation", "enum", default='"Add"', enum_values=(EnumValue("Add"),)),
    parameter("WFDuration", "measurement"),
)  # fmt: skip
ROUND = definition(
    "round", ("Round ${WFInput} to ${WFRoundTo}",),
    parameter("WFRoundTo", "enum", default='"Ones Place"'),
)  # fmt: skip
MATH = definition(
    "math", ("${WFInput} ${WFMathOperation} ${WFMathOperand}",),
    parameter("WFMathOperation", "enum", default='"+"'),
)  # fmt: skip


def describe_call(api: ApiDefinition, **values: object) -> str:
    name = api.api.removeprefix("is.workflow.actions.")
    arguments: list[Argument] = [
        argument(key, value, "structure" if isinstance(value, dict) else "literal")
        for key, value in values.items()
    ]
    return describe_calls([action(0, name, *arguments)], {api.api: api}.get)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            {OFFSET: {"Operation": "Subtract", "Unit": "Day", "Value": 3}},
            'Subtract 3 days from "May"',
        ),
        ({OFFSET: {"Operation": "Add", "Unit": "Hours", "Value": 6}}, 'Add 6 hours to "May"'),
        (
            {OFFSET: {"Operation": "Add", "Unit": "Day", "Value": 3}, "WFDuration": DURATION},
            'Add 2 hr to "May"',
        ),
    ],
)
def test_outdated_offset_applies_without_a_duration(values: dict[str, object], words: str) -> None:
    assert describe_call(ADJUST, **values, WFDate="May") == words


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, '"Ones Place"'),
        ({"WFRoundType": "Ones Place", "WFRoundDecimalPlaces": 2}, '"Ones Place"'),
        (
            {"WFRoundType": "Right of Decimal", "WFRoundDecimalPlaces": 2},
            '"2 places right of the decimal point"',
        ),
        ({"WFRoundType": "Right of Decimal"}, '"0 places right of the decimal point"'),
        ({"WFRoundType": "Right of Decimal", "WFRoundTo": "Tenths"}, '"Tenths"'),
    ],
)
def test_outdated_rounding_applies_without_a_current_one(
    values: dict[str, object], words: str
) -> None:
    assert describe_call(ROUND, **values) == f"Round {SHORTCUT_INPUT} to {words}"


@pytest.mark.parametrize(
    ("old", "alert"),
    [
        ({"WFAlertTrigger": "At Time"}, ("Alert", "At Time")),
        ({"WFAlertTrigger": "At Location"}, ("Alert", "When I Arrive")),
        (
            {"WFAlertTrigger": "At Location", "WFAlertLocationProximity": "Leave"},
            ("Alert", "When I Leave"),
        ),
        ({"WFAlertTrigger": "At Time", "WFAlertEnabled": "No Alert"}, ("No Alert", "At Time")),
    ],
)
def test_outdated_trigger_sets_the_reminder_alert(
    old: dict[str, object], alert: tuple[str, str]
) -> None:
    arguments = {name: argument(name, value) for name, value in old.items()}
    current = in_current_form("is.workflow.actions.addnewreminder", arguments)
    values = (current["WFAlertEnabled"].value, current["WFAlertCondition"].value)
    assert tuple(value.strip('"') for value in values) == alert


@pytest.mark.parametrize(
    ("api", "old", "name", "value"),
    [
        (
            "image.combine",
            {"WFImageCombineDirection": "Vertical"},
            "WFImageCombineMode",
            "Vertically",
        ),
        (
            "gettimebetweendates",
            {"WFTimeUntilReferenceDate": "Other", "WFTimeUntilCustomDate": "May 3"},
            "WFTimeUntilFromDate",
            "May 3",
        ),
    ],
)
def test_outdated_parameter_gets_its_current_name(
    api: str, old: dict[str, object], name: str, value: str
) -> None:
    arguments = {key: argument(key, old_value) for key, old_value in old.items()}
    current = in_current_form(f"is.workflow.actions.{api}", arguments)
    assert current[name].value.strip('"') == value
    assert in_current_form(f"is.workflow.actions.{api}", {}) == {}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"WFMathOperand": 2, "WFScientificMathOperation": "x^2"}, f"{SHORTCUT_INPUT} + 2"),
        (
            {"WFMathOperation": "\u2026", "WFScientificMathOperation": "cos(x)"},
            f"cos(x) of {SHORTCUT_INPUT}",
        ),
        (
            {
                "WFMathOperation": "\u2026",
                "WFScientificMathOperation": "Modulus",
                "WFScientificMathOperand": 7,
                "WFMathOperand": 1,
            },
            f"{SHORTCUT_INPUT} Modulus 7",
        ),
    ],
)
def test_calculation_omits_unused_operands(values: dict[str, object], words: str) -> None:
    assert describe_call(MATH, **values) == f"Calculate {words}"


def test_summary_starting_with_a_value_gets_a_verb() -> None:
    url = definition("url", ("${WFURLActionURL}",), parameter("WFURLActionURL"))
    assert (
        describe_call(url, WFURLActionURL="https://a.example") == 'Use the URL "https://a.example"'
    )
    pebble = definition("pebble", ("${Colour}",), parameter("Colour"))
    assert describe_call(pebble, Colour="grey") == 'Pebble: "grey"'


def test_empty_field_is_described_by_its_default() -> None:
    skim = definition("skim", ("Swap ${Old} with ${New}",), parameter("Old"), parameter("New"))
    assert describe_call(skim, Old="a") == 'Swap "a" with ""'
    entries = definition(
        "getitemfromlist", ("Get ${WFItemRangeStart} to ${WFItemRangeEnd} from ${WFInput}",)
    )
    assert (
        describe_call(entries, WFItemRangeStart=2)
        == f"Get 2 to the last item from {SHORTCUT_INPUT}"
    )


def test_text_inside_quotation_marks_is_quoted_once() -> None:
    send = definition("send", ("Send \u201c${Text}\u201d away",), parameter("Text"))
    assert describe_call(send, Text="hi") == 'Send "hi" away'
