"""Check which values a request must state, and the reason for each literal."""

from collections.abc import Mapping

import pytest

from prompts.language.value_texts.decisions import MOST, Decision, decide_all, must_say
from prompts.language.value_texts.labels import ApiFacts, ParameterFacts
from prompts.language.value_texts.literals import ActionRow, ArgumentRow
from tests.prompts.action_rows import action


def decide_action(name: str, line: str, values: Mapping[str, object]) -> list[Decision]:
    control = "open" if name == "conditional" else None
    return list(decide_all((action(name, control, 0, values),), line, {}))


def quantity(amount: object, unit: str) -> dict[str, object]:
    return {
        "Value": {"Magnitude": amount, "Unit": unit},
        "WFSerializationType": "WFQuantityFieldValue",
    }


def filter_table(*rows: dict[str, object]) -> dict[str, object]:
    return {
        "Value": {"WFActionParameterFilterPrefix": 1, "WFActionParameterFilterTemplates": rows},
        "WFSerializationType": "WFContentPredicateTableTemplate",
    }


@pytest.mark.parametrize(
    ("name", "parameter", "value", "say", "reason"),
    [
        ("notification", "WFNotificationActionBody", "The kettle boils", "may_say", "device_words"),
        ("alert", "WFAlertActionMessage", "Shut the window", "may_say", "device_words"),
        ("speaktext", "WFText", "Good night", "may_say", "device_words"),
        ("showresult", "Text", "42", "may_say", "device_words"),
        ("addnewreminder", "WFCalendarItemTitle", "Water the ferns", "say", "text"),
        ("addnewreminder", "WFCalendarItemTitle", "Test the smoke alarm", "say", "text"),
        ("addnewreminder", "WFCalendarItemTitle", "Put your bins out", "say", "text"),
        ("addnewreminder", "WFCalendarItemTitle", "New item", "may_say", "placeholder"),
        ("gettext", "WFTextActionText", "Test of the pump", "may_say", "placeholder"),
        ("ask", "WFAskActionDefaultAnswer", "Fern", "may_say", "question"),
        ("ask", "WFAskActionDefaultAnswerNumber", 30, "may_say", "question"),
        ("gettext", "WFTextActionText", "PUT LIST NAME HERE", "may_say", "placeholder"),
        ("gettext", "WFTextActionText", "your api key", "may_say", "placeholder"),
        ("gettext", "WFTextActionText", "Moss Green", "say", "text"),
        ("gettext", "WFTextActionText", "gbp", "may_say", "unknown_meaning"),
        ("gettext", "WFTextActionText", "8022", "may_say", "unknown_number"),
        ("list", "WFItems", ["Cancel"], "may_say", "button"),
        ("savetocameraroll", "WFCameraRollSelectedGroup", "Recents", "may_say", "default"),
        ("delay", "WFDelayTime", 12, "say", "number"),
        ("repeat.count", "WFRepeatCount", "7", "say", "number"),
        ("image.convert", "WFImageFormat", "PNG", "say", "chosen"),
        ("openurl", "WFInput", "https://gardens.example", "say", "site"),
        ("number", "WFNumberActionNumber", 1, "may_say", "trivial_number"),
        ("math", "WFMathOperand", "60", "may_say", "conversion"),
        ("math", "WFMathOperation", "+", "may_say", "option"),
        ("gettext", "WFTextActionText", "Test", "may_say", "placeholder"),
        ("gettext", "WFTextActionText", "word " * 40, "may_say", "long_text"),
        ("ask", "WFAskActionPrompt", "How many guests?", "may_say", "question"),
        ("setitemname", "WFName", "plan.csv", "may_say", "file_name"),
        ("flashlight", "state", True, "may_say", "setting"),
        ("setvariable", "WFVariableName", "guests", "never", "variable_name"),
        ("getvalueforkey", "WFDictionaryKey", "Host", "never", "key"),
        ("text.match.getgroup", "WFGroupIndex", 2, "never", "index"),
        ("getvalueforkey", "WFGetDictionaryValueType", "Value", "never", "key"),
        ("file.append", "WFFilePath", "Notes/lists/today.txt", "never", "path"),
        ("gettext", "WFTextActionText", "lock_doors", "never", "identifier"),
        ("gettext", "WFTextActionText", '{"a": 1}', "never", "code"),
        ("gettext", "WFTextActionText", "->", "never", "signs"),
        ("gettext", "WFTextActionText", "", "never", "empty"),
        ("gettext", "WFTextActionText", "[redacted:email]", "never", "redacted"),
        ("url", "WFURLActionURL", "https://a.example/v2/find?q=1", "never", "address"),
        ("text.match", "WFMatchTextPattern", "[a-z]+", "never", "code"),
        ("format.date", "WFDateFormat", "dd/MM", "never", "format_code"),
        ("text.replace", "WFReplaceTextCaseSensitive", False, "never", "switch"),
        ("openapp", "WFAppIdentifier", "com.example.tea", "never", "identifier"),
        ("properties.images", "WFContentItemPropertyName", "Width", "never", "property"),
    ],
)
def test_literal_gets_a_decision_and_a_reason(
    name: str, parameter: str, value: object, say: str, reason: str
) -> None:
    decisions = decide_action(name, "", {parameter: value})
    assert [(entry.say, entry.reason) for entry in decisions] == [(say, reason)]


def test_quantity_must_be_stated_with_its_unit() -> None:
    decisions = decide_action(
        "health.quantity.log", "", {"WFQuantitySampleQuantity": quantity("44", "mg")}
    )
    assert [value.value for value in must_say(decisions)] == ["44 mg"]
    assert decisions[0].titles == ("44 milligrams",)
    assert decisions[0].label == "amount"


def test_quantity_of_1_has_a_singular_title() -> None:
    decisions = decide_action("adjustdate", "", {"WFDuration": quantity(1, "days")})
    assert (decisions[0].value, decisions[0].titles) == ("1 days", ("1 day",))


def test_condition_limit_must_be_stated_unlike_leftover_text() -> None:
    decisions = decide_action(
        "conditional",
        "If [output: Battery Level] is less than 20",
        {"WFCondition": 0, "WFNumberValue": 20, "WFConditionalActionString": "old"},
    )
    assert [(entry.value, entry.say) for entry in decisions] == [("20", "say")]
    assert decisions[0].label == "Battery Level is less than"


@pytest.mark.parametrize(
    ("line", "code", "value", "say"),
    [
        ("If [output: Count] is less than 1", 0, 1, "may_say"),
        ("If [output: Count] is 3", 4, 3, "may_say"),
        ("If [result of step 4: getvariable] is greater than 1.2", 2, 1.2, "may_say"),
        ("If [variable: temperature] is greater than 25", 2, 25, "say"),
        ("If [output: File.property(File Size)] is greater than 25", 2, 25, "say"),
    ],
)
def test_condition_number_must_be_stated_only_as_a_limit(
    line: str, code: int, value: float, say: str
) -> None:
    decisions = decide_action("conditional", line, {"WFCondition": code, "WFNumberValue": value})
    assert [entry.say for entry in decisions] == [say]


def test_filter_values_must_be_stated_but_not_properties() -> None:
    rows = (
        {"Property": "Name", "Operator": 99, "Values": {"String": "Invoices"}},
        {"Property": "Width", "Operator": 0, "Values": {"Number": 640}},
        {"Property": "Creation Date", "Operator": 1001, "Values": {"Number": 3, "Unit": 16}},
    )
    decisions = decide_action(
        "filter.files",
        "",
        {"WFContentItemFilter": filter_table(*rows), "WFContentItemLimitNumber": 5},
    )
    assert [(entry.value, entry.label) for entry in decisions if entry.say == "say"] == [
        ("Invoices", "Name contains"),
        ("640", "Width is less than"),
        ("3 days", "Creation Date is in the last"),
        ("5", "most results"),
    ]


def test_conditions_are_read_row_by_row() -> None:
    rows = (
        {"WFCondition": 2, "WFInput": {"Type": "Variable"}, "WFNumberValue": 4},
        {"WFCondition": 4, "WFInput": {"Type": "Variable"}, "WFConditionalActionString": "Oslo"},
    )
    decisions = decide_action(
        "conditional", "If all of: x; y", {"WFConditions": filter_table(*rows)}
    )
    assert [entry.value for entry in decisions] == ["4", "Oslo"]


@pytest.mark.parametrize(
    ("count", "body", "reason"),
    [(40, "ask", "open_ended"), (10, "ask", "number"), (40, "flashlight", "number")],
)
def test_count_of_an_open_ended_loop_may_be_omitted(count: int, body: str, reason: str) -> None:
    number = action("number", None, 0, {"WFNumberActionNumber": count})
    for loop in (
        (number, action("repeat.count", "open", 1)),
        (action("repeat.count", "open", 0, {"WFRepeatCount": count}),),
    ):
        end = len(loop)
        rows = (*loop, action(body, None, end), action("repeat.count", "close", end + 1))
        assert decide_all((*rows, action("ask", None, end + 2)), "", {})[0].reason == reason


def test_text_in_a_branch_may_be_omitted() -> None:
    rows = (
        action("conditional", "open", 0, {"WFCondition": 100}),
        action("notification", None, 1, {"WFNotificationActionBody": "It rains"}),
        action("conditional", "close", 2),
        action("notification", None, 3, {"WFNotificationActionBody": "Good morning"}),
    )
    decisions = decide_all(rows, "", {})
    assert [(entry.value, entry.reason) for entry in decisions] == [
        ("It rains", "in_a_branch"),
        ("Good morning", "device_words"),
    ]


def test_text_is_classified_by_the_action_that_uses_it() -> None:
    rows = (
        action("gettext", None, 0, {"WFTextActionText": "Off to bed"}),
        action("speaktext", None, 1),
        action("gettext", None, 2, {"WFTextActionText": "Which Room"}),
        action("ask", None, 3),
        action("gettext", None, 4, {"WFTextActionText": "Blue Door"}),
        action("setclipboard", None, 5),
    )
    workflow = (
        'Text "Off to bed" -> Words\nSpeak [output: Words]\nText "Which Room" -> Text (of step 3)\n'
        'Ask [output: Text (of step 3)]\nText "Blue Door" -> Door\nCopy [output: Door]'
    )
    reasons = ["device_words", "question", "text"]
    assert [entry.reason for entry in decide_all(rows, workflow, {})] == reasons
    assert [entry.reason for entry in decide_all(rows, "", {})] == reasons


def test_list_entries_to_choose_from_are_choices() -> None:
    entries = action("list", None, 0, {"WFItems": ["Ferns", "Mosses"]})
    for after, reason in (("choosefromlist", "choice"), ("text.combine", "text")):
        decisions = decide_all((entries, action(after, None, 1)), "", {})
        assert [entry.reason for entry in decisions] == [reason, reason]


def test_texts_of_alternative_conditions_may_be_omitted() -> None:
    def reasons(*clauses: str) -> list[str]:
        texts = ("Rye Bread", "Oat Bread")
        rows = [
            action(
                "conditional", "open", index, {"WFCondition": 4, "WFConditionalActionString": text}
            )
            for index, text in enumerate(texts[: len(clauses)])
        ]
        lines = [f'If {clause} is "{text}"' for clause, text in zip(clauses, texts, strict=False)]
        return [entry.reason for entry in decide_all(rows, "\n".join(lines), {})]

    assert reasons("[variable: Loaf]") == ["condition"]
    assert reasons("[variable: Loaf]", "[variable: Loaf]") == ["one_of_several"] * 2
    assert reasons("[output: Focus.property(Name)]", "[output: Focus.property(Name)]") == [
        "condition",
        "condition",
    ]
    assert reasons("[variable: selection]") == ["choice"]


def test_duration_unused_by_the_operation_may_be_omitted() -> None:
    for operation, reason in (("Get Start of Week", "left_over"), ("Subtract", "quantity")):
        parameters = {"WFAdjustOperation": operation, "WFDuration": quantity(4, "days")}
        decisions = decide_action("adjustdate", "", parameters)
        assert [entry.reason for entry in decisions] == ["option", reason]


def test_text_equal_to_a_menu_choice_is_a_choice() -> None:
    rows = (
        action(
            "choosefrommenu",
            "open",
            0,
            {"WFMenuItems": ["Green", "Black"], "WFMenuPrompt": "Which?"},
        ),
        action("choosefrommenu", "branch", 1, {"WFMenuItemTitle": "Green"}),
        action("choosefrommenu", "close", 2),
        action("gettext", None, 3, {"WFTextActionText": "Green"}),
    )
    decisions = decide_all(rows, "", {})
    assert [entry.reason for entry in decisions] == ["choice", "choice", "question", "choice"]


def test_number_of_required_values_is_limited() -> None:
    texts = [
        action("gettext", None, index, {"WFTextActionText": f"Guest {index}"}) for index in range(9)
    ]
    drink = action("health.quantity.log", None, 9, {"WFQuantitySampleQuantity": quantity(2, "l")})
    again = action("gettext", None, 10, {"WFTextActionText": "GUEST 0"})
    decisions = decide_all((*texts, drink, again), "", {})
    required_values = [value.value for value in must_say(decisions)]
    assert len(required_values) == MOST
    assert "2 l" in required_values
    assert decisions[10].reason == "said_already"
    assert [entry.reason for entry in decisions].count("one_too_many") == 4


def test_labels_come_from_definitions_with_more_detail() -> None:
    definitions = {
        "com.example.tea.Brew": ApiFacts(
            "com.example.tea.Brew",
            "Brew Tea",
            "Brews tea",
            {
                "label": ParameterFacts(title="Name of the Tea", about="What it is called"),
                "title": ParameterFacts(title="Title"),
            },
        )
    }
    row = ActionRow(
        0,
        "com.example.tea.Brew",
        None,
        (ArgumentRow("label", "literal", '"Sencha"'), ArgumentRow("title", "literal", '"Cup"')),
    )
    decisions = decide_all((row,), "", definitions)
    assert [entry.label for entry in decisions] == ["name of the tea", "title (Brew Tea)"]
    assert decisions[0].about == "What it is called"


def test_malformed_values_are_never_stated() -> None:
    values: tuple[object, ...] = (
        None,
        [],
        {},
        [[]],
        {"Value": None},
        {"Value": {"Magnitude": None, "Unit": 3}},
        [None],
    )
    for value in values:
        assert all(
            entry.say == "never" for entry in decide_action("filter.files", "", {"Odd": value})
        )
    assert decide_all((), "", {}) == ()


def test_very_long_text_gets_a_short_decision() -> None:
    for text in ("a" * 100_000, "/a" * 50_000, "a_" * 50_000, "{" * 100_000, "1" * 100_000):
        decisions = decide_action("gettext", "", {"WFTextActionText": text})
        assert len(decisions) == 1
        assert len(decisions[0].value) <= 240
