"""Check control flow, references, answers and limits of shortcuts that run on the device."""

import json
import time
from collections.abc import Mapping

import pytest

from benchloom.core.records import Shortcut
from benchloom.device.answers import AnswersFile, read_answers
from benchloom.device.errors import MAX_STEPS, AnswersError
from benchloom.device.runs import run
from parsers.shortcuts import parse_shortcut

_OBJECT = "\ufffc"
Part = tuple[str, Mapping[str, object]]


def shortcut_of(*steps: Part) -> Shortcut:
    """Return the record of a shortcut with these actions."""
    actions = [
        {
            "WFWorkflowActionIdentifier": f"is.workflow.actions.{name}",
            "WFWorkflowActionParameters": dict(parameters),
        }
        for name, parameters in steps
    ]
    return parse_shortcut(json.dumps({"WFWorkflowActions": actions}).encode(), "test")


def variable(name: str, *parts: Mapping[str, object]) -> dict[str, object]:
    """Return an argument that refers to a variable."""
    token = {"Type": "Variable", "VariableName": name, "Aggrandizements": list(parts)}
    return {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}


def text_with(name: str) -> dict[str, object]:
    """Return a text argument that ends with a variable."""
    token = {"Type": "Variable", "VariableName": name}
    value = {"string": f"<{_OBJECT}", "attachmentsByRange": {"{1, 1}": token}}
    return {"Value": value, "WFSerializationType": "WFTextTokenString"}


def block(mode: int, **more: object) -> dict[str, object]:
    """Return the parameters of a step that opens, divides or closes a block."""
    return {"GroupingIdentifier": "g", "WFControlFlowMode": mode, **more}


def test_repeat_with_each_collects_the_results_of_iterations() -> None:
    """Repeat with Each returns the result of its last action in every iteration."""
    execution = run(
        shortcut_of(
            ("list", {"WFItems": ["a", "b"]}),
            ("repeat.each", block(0)),
            ("gettext", {"WFTextActionText": text_with("Repeat Item")}),
            ("repeat.each", block(2)),
        )
    )
    assert execution.outcome == "finished"
    assert execution.output == ("<a", "<b")


_DAYS = {
    "Value": {"Magnitude": "2", "Unit": "days"},
    "WFSerializationType": "WFQuantityFieldValue",
}


@pytest.mark.parametrize(
    ("value", "condition", "expected"),
    [
        ("tea", {"WFCondition": 4, "WFConditionalActionString": "tea"}, "yes"),
        ("tea", {"WFCondition": 5, "WFConditionalActionString": "tea"}, "no"),
        ("tea", {"WFConditionalActionString": "ea"}, "yes"),
        ("tea", {"WFCondition": 8, "WFConditionalActionString": "te"}, "yes"),
        ("tea", {"WFCondition": 9, "WFConditionalActionString": "te"}, "no"),
        ("tea", {"WFCondition": 999, "WFConditionalActionString": "x"}, "yes"),
        ("7", {"WFCondition": 2, "WFNumberValue": "6"}, "yes"),
        ("7", {"WFCondition": 0, "WFNumberValue": 6}, "no"),
        ("7", {"WFCondition": 1003, "WFNumberValue": 9, "WFAnotherNumber": 5}, "yes"),
        ("", {"WFCondition": 100}, "no"),
        ("", {"WFCondition": 101}, "yes"),
        ("2027-03-16", {"WFCondition": 1000, "WFDuration": _DAYS}, "yes"),
        ("2027-03-18", {"WFCondition": 1000, "WFDuration": _DAYS}, "no"),
        ("2027-03-14", {"WFCondition": 1001, "WFDuration": _DAYS}, "yes"),
        ("2027-03-15 23:00", {"WFCondition": 1002}, "yes"),
        ("2027-03-16", {"WFCondition": 1002}, "no"),
        ("tea", {"WFCondition": "Equals", "WFConditionalActionString": "tea"}, "yes"),
    ],
)
def test_condition_chooses_its_branch(
    value: str, condition: dict[str, object], expected: str
) -> None:
    """The condition of an If action decides which branch runs."""
    execution = run(
        shortcut_of(
            ("gettext", {"WFTextActionText": value}),
            ("conditional", block(0, **condition)),
            ("gettext", {"WFTextActionText": "yes"}),
            ("conditional", block(1)),
            ("gettext", {"WFTextActionText": "no"}),
            ("conditional", block(2)),
        )
    )
    assert execution.output == (expected,)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ({"Operation": "Subtract", "Unit": "Day", "Value": 1}, "14"),
        ({"Operation": "Add", "Unit": "Weeks", "Value": 1}, "22"),
        ({"Operation": "Get Start Of Month", "Unit": "Seconds", "Value": 0}, "1"),
    ],
)
@pytest.mark.parametrize("name", ["WFAdjustOffsetPicker", "WFAdjustOffset"])
def test_early_offset_values_move_dates(
    name: str, offset: dict[str, object], expected: str
) -> None:
    value = {"Value": offset, "WFSerializationType": "WFTimeOffsetValue"}
    format_ = {"WFDateFormatStyle": "Custom", "WFDateFormat": "d"}
    steps: list[Part] = [("date", {}), ("adjustdate", {name: value}), ("format.date", format_)]
    assert run(shortcut_of(*steps)).output == (expected,)


def _menu() -> Shortcut:
    """Return a shortcut that returns a text for the chosen entry of a menu."""
    return shortcut_of(
        ("choosefrommenu", block(0, WFMenuItems=["One", "Two"], WFMenuPrompt="Which?")),
        ("choosefrommenu", block(1, WFMenuItemTitle="One")),
        ("gettext", {"WFTextActionText": "first"}),
        ("choosefrommenu", block(1, WFMenuItemTitle="Two")),
        ("gettext", {"WFTextActionText": "second"}),
        ("choosefrommenu", block(2)),
    )


def test_menu_uses_the_answer_or_makes_up_a_choice() -> None:
    """Without an answer the first entry is chosen, and the question is marked as made up."""
    answers = read_answers(b'{"answers": {"0": ["Two"]}}')
    assert run(_menu(), answers=answers).output == ("second",)
    execution = run(_menu())
    assert execution.output == ("first",)
    assert execution.questions[0].made
    assert execution.questions[0].choices == ("One", "Two")


@pytest.mark.parametrize("data", [b"", b"[]", b'{"answer": {}}', b'{"answers": {"9": [1]}}'])
def test_invalid_answers_raise_a_typed_error(data: bytes) -> None:
    """Files of another form and answers to unknown steps raise a typed error."""
    with pytest.raises(AnswersError, match=r"answers: .*"):
        run(_menu(), answers=read_answers(data))


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ({"0": ["Three"]}, "0 cannot choose 'Three'; choose 'One', 'Two'"),
        ({"0": [2]}, "0 cannot choose '2'; choose 'One', 'Two'"),
        ({"0": [[]]}, "0 cannot choose nothing; choose 'One', 'Two'"),
        ({"0": ["Two"], "x": ["y"]}, r"unknown step x; this run asks: 0 \(Which\?\)"),
        ({"Other/0": ["y"]}, "unknown step Other/0"),
    ],
)
def test_error_for_unknown_choice_or_step_lists_alternatives(
    answers: dict[str, list[object]], fault: str
) -> None:
    """The error lists the choices of the step, or the questions of the run."""
    with pytest.raises(AnswersError, match=fault):
        run(_menu(), answers=AnswersFile(answers))


def test_answers_reach_a_nested_shortcut() -> None:
    """The key of an answer contains the name of the nested shortcut before the step number."""
    outer = shortcut_of(("runworkflow", {"WFWorkflowName": "Menu"}))
    answers = AnswersFile({"Menu/0": ["Two"]})
    execution = run(outer, answers=answers, others={"Menu": _menu()})
    assert execution.output == ("second",)
    assert execution.questions[0].key == "Menu/0"


def test_made_up_answer_has_keys_that_later_steps_read() -> None:
    """An answer that the device makes up contains every key that a later step reads."""
    key = {"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "title"}
    execution = run(
        shortcut_of(
            ("downloadurl", {"WFURL": "https://a.example/"}),
            ("setvariable", {"WFVariableName": "page"}),
            ("gettext", {"WFTextActionText": variable("page", key)}),
        )
    )
    assert execution.output == ("title",)
    assert execution.effects[0].details == {"url": "https://a.example/", "method": "GET"}


def test_device_details_token_returns_a_property() -> None:
    """A token for device details returns the property that it names."""
    part = {"Type": "WFPropertyVariableAggrandizement", "PropertyName": "OS"}
    token = {"Type": "DeviceDetails", "Aggrandizements": [part]}
    value = {"Value": token, "WFSerializationType": "WFTextTokenAttachment"}
    assert run(shortcut_of(("setvariable", {"WFInput": value}))).output == ("iOS",)


def test_unsupported_action_keeps_the_trace() -> None:
    """An action that the device does not support ends the run at its step."""
    execution = run(shortcut_of(("gettext", {}), ("cannot.exist", {})))
    assert execution.outcome == "unsupported"
    expected = "unsupported action is.workflow.actions.cannot.exist at step 1"
    assert execution.message == expected
    assert [trace.step for trace in execution.trace] == [0, 1]


_DOUBLED = {"string": _OBJECT * 2, "attachmentsByRange": {}}
for _at in ("{0, 1}", "{1, 1}"):
    _DOUBLED["attachmentsByRange"][_at] = {  # type: ignore[index]  # a nested property list
        "Type": "Variable",
        "VariableName": "x",
    }


_END: Part = ("repeat.count", block(2))
_WITHIN = {"WFDictionary": variable("x"), "WFDictionaryValue": variable("x")}
_BIG: tuple[Part, ...] = (
    ("gettext", {"WFTextActionText": "ab" * 400_000}),
    ("setvariable", {"WFVariableName": "x"}),
    ("nothing", {}),
    ("repeat.count", block(0, WFRepeatCount=3000)),
)


@pytest.mark.parametrize(
    "shortcut",
    [
        shortcut_of(*_BIG, ("alert", {"WFAlertActionMessage": text_with("x")}), _END),
        shortcut_of(*_BIG, ("ask", {"WFAskActionPrompt": text_with("x")}), _END),
        shortcut_of(
            ("gettext", {"WFTextActionText": "a\n" * 400_000}),
            ("text.split", {}),
        ),
        shortcut_of(
            ("repeat.count", block(0, WFRepeatCount=60)),
            ("setvalueforkey", _WITHIN | {"WFDictionaryKey": "a"}),
            ("setvariable", {"WFVariableName": "x"}),
            ("setvalueforkey", _WITHIN | {"WFDictionaryKey": "b"}),
            ("setvariable", {"WFVariableName": "x"}),
            ("repeat.count", block(2)),
        ),
        shortcut_of(("repeat.count", block(0, WFRepeatCount=10**9)), ("repeat.count", block(2))),
        shortcut_of(("runworkflow", {"WFWorkflow": {"isSelf": True}})),
        shortcut_of(
            ("gettext", {"WFTextActionText": "a" * 1000}),
            ("setvariable", {"WFVariableName": "x"}),
            ("repeat.count", block(0, WFRepeatCount=100)),
            ("gettext", {"WFTextActionText": {"Value": _DOUBLED, "WFSerializationType": "s"}}),
            ("setvariable", {"WFVariableName": "x"}),
            ("repeat.count", block(2)),
        ),
        shortcut_of(
            ("gettext", {"WFTextActionText": "a" * 4000 + "!"}),
            ("text.match", {"WFMatchTextPattern": "(a|aa)+$"}),
        ),
        shortcut_of(
            ("gettext", {"WFTextActionText": "[" * 5000 + "]" * 5000}),
            ("detect.dictionary", {}),
        ),
    ],
    ids=[
        *("effects", "reads", "items", "dictionary"),
        *("repeat", "itself", "doubling", "pattern", "nested"),
    ],
)
def test_hostile_shortcuts_are_stopped_by_limits(shortcut: Shortcut) -> None:
    """Endless and fast-growing shortcuts are stopped within 20 seconds."""
    start = time.perf_counter()
    assert run(shortcut).outcome == "limit"
    assert time.perf_counter() - start < 20


def test_run_stops_after_the_maximum_number_of_steps() -> None:
    """A shortcut with one step more than the limit is stopped."""
    shortcut = shortcut_of(*[("comment", {})] * (MAX_STEPS + 1))
    assert run(shortcut).message == f"the run has more than {MAX_STEPS} steps"
