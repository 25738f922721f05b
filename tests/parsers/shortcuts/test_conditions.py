"""Check that descriptions of conditions contain only the operands that apply."""

import pytest

from benchloom.core.records.conditions import CONDITION_WORDS
from benchloom.normalise.definitions.control_definitions import control_definitions
from demo.drafts import Draft, attachment, text, token, variable
from tests.parsers.shortcuts.drafts import argument, condition, describe, parse

TEXT, NUMBER = "WFConditionalActionString", "WFNumberValue"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({TEXT: "rain"}, 'contains "rain"'),
        ({TEXT: "rain", "WFCondition": ""}, 'contains "rain"'),
        ({TEXT: text("rain")}, 'contains "rain"'),
        ({}, "(condition not given)"),
        ({NUMBER: 5}, "(condition not given) 5"),
        ({"WFCondition": 100}, "has any value"),
    ],
)
def test_missing_condition_is_described_by_its_operands(
    parameters: dict[str, object], words: str
) -> None:
    assert condition(**parameters) == words


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"WFCondition": 2, TEXT: "m.", NUMBER: 1}, "is greater than 1"),
        ({"WFCondition": 100, TEXT: "old"}, "has any value"),
        ({"WFCondition": 101, NUMBER: 3}, "does not have any value"),
        ({"WFCondition": 8, TEXT: "<", NUMBER: ""}, 'begins with "<"'),
        ({"WFCondition": 1003, NUMBER: 1, "WFAnotherNumber": 9, TEXT: "x"}, "is between 1 and 9"),
        (
            {"WFCondition": 1003, "WFDate": "May", "WFAnotherDate": "June", NUMBER: 7},
            'is between "May" and "June"',
        ),
        ({"WFCondition": 1003, "WFDate": "May"}, 'is between "May" and (nothing given)'),
        ({"WFCondition": 4, TEXT: "MANUAL", NUMBER: "0"}, 'is "MANUAL"'),
        ({"WFCondition": 4, TEXT: "", NUMBER: "0"}, 'is "0"'),
        ({"WFCondition": 4, "WFEnumeration": "Video"}, 'is "Video"'),
        ({"WFCondition": 0, TEXT: "7"}, 'is less than "7"'),
        ({"WFCondition": 99}, 'contains ""'),
        ({"WFCondition": 4}, 'is ""'),
        ({"WFCondition": 2}, "is greater than (nothing given)"),
        ({"WFCondition": 1002, "WFNumberValue": 7}, "is today"),
        ({"WFCondition": "Equals", TEXT: "a", NUMBER: 2}, 'equals "a"'),
        ({"WFCondition": "Is Greater Than", TEXT: "a", NUMBER: 2}, "is greater than 2"),
        (
            {
                "WFCondition": 1001,
                "WFDuration": {
                    "Value": {"Magnitude": "30", "Unit": "min"},
                    "WFSerializationType": "WFQuantityFieldValue",
                },
            },
            "is in the last 30 min",
        ),
    ],
)
def test_only_operands_that_apply_are_described(parameters: dict[str, object], words: str) -> None:
    assert condition(**parameters) == words


def test_numeric_input_is_compared_with_the_number_operand() -> None:
    draft = Draft("t")
    count = draft.add("count", Input=attachment(token("Clipboard")))
    parameters = {"WFCondition": 4, TEXT: "two", NUMBER: 2}
    coerced = [
        {"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "WFStringContentItem"}
    ]
    draft.control("conditional", "a", 0, WFInput=attachment(count), **parameters)
    draft.control("conditional", "a", 2)
    as_text = attachment({**count, "Aggrandizements": coerced})
    draft.control("conditional", "b", 0, WFInput=as_text, **parameters)
    draft.control("conditional", "b", 2)
    lines = describe(draft)
    assert lines[1] == "If [output: Count] is 2"
    assert lines[3] == 'If [output: Count.as(WFStringContentItem)] is "two"'


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"WFCondition": 123, TEXT: "a", NUMBER: 1}, 'meets an unknown condition with "a" and 1'),
        ({"WFCondition": True, NUMBER: 1}, "meets an unknown condition with 1"),
        ({"WFCondition": [4], TEXT: "a"}, 'meets an unknown condition with "a"'),
        ({"WFCondition": 2**63, TEXT: "a"}, 'meets an unknown condition with "a"'),
        ({"WFCondition": "4", TEXT: "a"}, 'is "a"'),
        ({"WFCondition": "9" * 5000, TEXT: "a"}, f'{"9" * 200}... "a"'),
    ],
)
def test_unknown_condition_is_described_as_unknown(
    parameters: dict[str, object], words: str
) -> None:
    assert condition(**parameters) == words


def filter_table(*rows: object, prefix: object = 1) -> dict[str, object]:
    value = {"WFActionParameterFilterPrefix": prefix, "WFActionParameterFilterTemplates": [*rows]}
    return {"Value": value, "WFSerializationType": "WFContentPredicateTableTemplate"}


def variable_input(name: str) -> dict[str, object]:
    return {"Type": "Variable", "Variable": attachment(variable(name))}


ROWS = (
    {
        "WFInput": variable_input("mood"),
        "WFCondition": 4,
        TEXT: text("glad, says ", variable("who")),
    },
    {"WFInput": variable_input("hours"), "WFCondition": 2, NUMBER: 2, TEXT: "old"},
)

BOTH = '[variable: mood] is "glad, says [variable: who]"; [variable: hours] is greater than 2'


@pytest.mark.parametrize(
    ("rows", "prefix", "words"),
    [
        (
            ROWS,
            1,
            f"all of: {BOTH}",
        ),
        (
            ROWS,
            0,
            f"any of: {BOTH}",
        ),
        (ROWS[1:], -1, "[variable: hours] is greater than 2"),
        (
            (ROWS[1], ROWS[1]),
            -1,
            "all or any of: " + "; ".join(["[variable: hours] is greater than 2"] * 2),
        ),
        (
            (ROWS[1], ROWS[1]),
            True,
            "all or any of: " + "; ".join(["[variable: hours] is greater than 2"] * 2),
        ),
        (
            (ROWS[1], 7, [], {"odd": 1}),
            1,
            "all of: [variable: hours] is greater than 2; 7; []; {odd: 1}",
        ),
    ],
)
def test_several_conditions_are_joined_by_all_or_any(
    rows: tuple[object, ...], prefix: object, words: str
) -> None:
    assert condition(WFConditions=filter_table(*rows, prefix=prefix)) == f"If {words}"


def test_references_inside_several_conditions_are_recorded() -> None:
    draft = Draft("t")
    draft.add("setvariable", WFVariableName="mood", WFInput=attachment(token("Clipboard")))
    draft.control("conditional", "g", 0, WFConditions=filter_table(*ROWS))
    references = argument(parse(draft), 1, "WFConditions").references
    assert [(r.output, r.action_index) for r in references] == [
        ("who", None),
        ("mood", 0),
        ("hours", None),
    ]


@pytest.mark.parametrize(
    "conditions",
    [
        filter_table(),
        {"Value": 3, "WFSerializationType": "x"},
        "text",
        [],
        filter_table() | {"Value": None},
    ],
)
def test_empty_conditions_fall_back_to_the_single_condition(conditions: object) -> None:
    line = condition(WFConditions=conditions, WFCondition=99, **{TEXT: "rain"})
    assert line.endswith('contains "rain"')


def test_conditions_beyond_the_limit_are_counted() -> None:
    line = condition(WFConditions=filter_table(*[ROWS[1]] * 5000))
    assert line.endswith("; [4800 more]")
    assert len(line) < 10_000


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"Property": "Name", "Operator": 4, "Values": {"String": "a", "Unit": 4}}, 'Name is "a"'),
        ({"Property": "Name", "Operator": 99, "String": "a", "Unit": 4}, 'Name contains "a"'),
        (
            {
                "Property": "Body",
                "Operator": 99,
                "VariableOverrides": {"stringValue": text(token("Ask"))},
            },
            'Body contains "[needs input: Ask]"',
        ),
        (
            {"Property": "Start", "Operator": 1001, "Values": {"Number": 2, "Unit": 16}},
            "Start is in the last 2 days",
        ),
        (
            {"Property": "Start", "Operator": 1001, "Values": {"Number": 2, "Unit": 3}},
            "Start is in the last 2 (unit not known)",
        ),
        (
            {
                "Property": "Start",
                "Operator": 1003,
                "Values": {"Date": "a", "AnotherDate": "b", "Number": 7, "Unit": 16},
            },
            'Start is between "a" and "b"',
        ),
        (
            {"Property": "Is New", "Operator": 4, "Values": {"Bool": False, "Enumeration": "x"}},
            "Is New is false",
        ),
        ({"Property": "Kind", "Operator": 5, "Enumeration": "x", "String": "y"}, 'Kind is not "x"'),
        ({"Property": "Width", "Operator": 4, "Values": {"Number": 3, "String": ""}}, "Width is 3"),
        (
            {"Property": "Size", "Operator": 2, "Values": {"Number": 3, "Unit": 4}},
            "Size is greater than 3",
        ),
        (
            {"Property": "Duration", "Operator": 2, "Values": {"Number": 30, "Unit": 128}},
            "Duration is greater than 30 seconds",
        ),
        (
            {
                "Property": "File Size",
                "Operator": 1003,
                "Values": {"Number": 1, "AnotherNumber": 5, "Unit": 4},
            },
            "File Size is between 1 and 5 MB",
        ),
        (
            {"Property": "Start", "Operator": 1000, "Values": {"Number": 24, "Unit": 32}},
            "Start is in the next 24 hours",
        ),
        (
            {"Property": "Start", "Operator": 1002, "Values": {"Number": 7, "Unit": 16}},
            "Start is today",
        ),
        ({"Property": "Album", "Operator": 4, "Values": {"Unit": 4}}, "Album is (nothing given)"),
        (
            {"Property": 7, "Operator": 123, "Values": [1]},
            "(nothing given) meets an unknown condition with",
        ),
    ],
)
def test_filter_rows_are_described(row: dict[str, object], words: str) -> None:
    draft = Draft("t")
    draft.add(
        "filter.files", WFContentItemFilter=filter_table(row), WFContentItemSortOrder="A to Z"
    )
    assert describe(draft) == [
        f'filter.files(WFContentItemFilter=[where {words}], WFContentItemSortOrder="A to Z")'
    ]


def test_definition_of_if_lists_the_same_conditions() -> None:
    if_definition = next(d for d in control_definitions() if d.title == "If")
    parameters = {parameter.name: parameter for parameter in if_definition.parameters}
    condition_parameter = parameters["WFCondition"]
    assert {int(v.value): v.title for v in condition_parameter.enum_values} == CONDITION_WORDS
    assert CONDITION_WORDS[int(condition_parameter.default or "")] == "contains"
    assert "WFConditions" in parameters


@pytest.mark.parametrize(
    "part",
    [
        {"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "WFBooleanContentItem"},
        {"Type": "WFPropertyVariableAggrandizement", "PropertyName": "enabled"},
        {"Type": "WFPropertyVariableAggrandizement", "PropertyName": "Is Favorite"},
    ],
)
def test_boolean_without_operand_is_compared_with_true(part: dict[str, object]) -> None:
    draft = Draft("t")
    token = {"Type": "Variable", "VariableName": "first", "Aggrandizements": [part]}
    value = {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}
    condition_input = {"Type": "Variable", "Variable": value}
    block = {"GroupingIdentifier": "g", "WFControlFlowMode": 0}
    draft.add("conditional", **block, WFInput=condition_input, WFCondition=4)
    assert describe(draft)[0].endswith("] is true")
