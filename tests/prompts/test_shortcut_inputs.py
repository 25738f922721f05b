"""Contents of a prompt about a shortcut: plain names, comments once, bounded length."""

import os
import shutil
import time
from pathlib import Path

from prompts.columns import definitions_folder
from prompts.data_block import whole_sentences
from prompts.inputs.late_shortcuts import read_facts
from prompts.inputs.shortcuts import ShortcutInput, ShortcutRow, author_comments, shortcut_input
from prompts.language.value_texts.labels import ApiFacts, ParameterFacts
from prompts.language.value_texts.literals import ActionRow
from tests.prompts.action_rows import SYSTEM
from tests.prompts.action_rows import action as action_row
from tests.support.llm.world import shortcuts_folder, write_definitions


def action(index: int, api: str, **values: object) -> ActionRow:
    return action_row(api, None, index, values)


def given(workflow: str, *actions: ActionRow, name: str | None = None) -> ShortcutInput:
    row = ShortcutRow("shortcut:1", "made/1.plist", name, None, actions, 1, workflow)
    definitions = {
        f"{SYSTEM}gettext": ApiFacts(
            f"{SYSTEM}gettext",
            "Text",
            "Passes the text on.",
            {"WFTextActionText": ParameterFacts(title="Text")},
        )
    }
    return shortcut_input(row, definitions)


def test_parameters_go_by_plain_names_and_switches_are_left_out() -> None:
    sample_input = given(
        'gettext(WFTextActionText="Tea")\n'
        'Show alert "Done"  {WFAlertActionCancelButtonShown: false, WFAlertActionTitle: "Tea"}\n'
        "brewtea(WFAlertActionCancelButtonShown=true) -> Pot",
        action(0, "gettext", WFTextActionText="Tea"),
        action(1, "alert", WFAlertActionCancelButtonShown=False, WFAlertActionTitle="Tea"),
        action(2, "brewtea", WFAlertActionCancelButtonShown=True),
    )
    assert sample_input.workflow == (
        'Text(text: "Tea")\nShow alert "Done"  {title of the alert: "Tea"}\nbrewtea -> Pot'
    )


def test_a_technical_text_is_shown_where_nothing_else_tells_what_is_done() -> None:
    sample_input = given(
        'gettext(WFTextActionText="honk_horn") -> Text',
        action(0, "gettext", WFTextActionText="honk_horn"),
    )
    assert sample_input.workflow == 'Text(text: "honk_horn") -> Text'


def test_the_app_to_open_is_told_by_its_identifier_where_it_has_no_name() -> None:
    sample_input = given(
        'Open App  {WFAppIdentifier: "com.example.tea"}',
        action(0, "openapp", WFAppIdentifier="com.example.tea"),
    )
    assert sample_input.workflow == 'Open App  {app identifier: "com.example.tea"}'
    assert sample_input.required == ()


def test_a_comment_stands_once_and_boilerplate_never() -> None:
    text = (
        "Waters the plants\nCopyright 2020 by somebody\nLicensed under MIT\n"
        "https://plants.example\nVersion 1.2\n====="
    )
    sample_input = given(
        "# Waters the plants Copyright ...\nDo it",
        action(0, "comment", WFCommentActionText=text),
        action(1, "delay", WFDelayTime=3),
    )
    assert sample_input.comments == ("Waters the plants",)
    assert sample_input.workflow == "Do it"
    assert author_comments(["a b", "a b", "(c) 2021", ""]) == ("a b",)


def test_a_line_that_leads_to_an_address_goes_with_it() -> None:
    text = "Waters the plants.\nLatest version at:\nhttps://plants.example/a\nYou will need:\na can"
    assert author_comments([text]) == ("Waters the plants. You will need: a can",)
    assert author_comments(["Used with:\n\nhttps://plants.example", "Used with:"]) == ()
    assert author_comments(['Current Version: "1.02"', "Version    : 2.0 beta"]) == ()
    assert author_comments(["LaunchCutsTags\nplants\ngarden"]) == ()


def test_references_point_at_lines_that_are_shown() -> None:
    sample_input = given(
        "# First of all\n"
        'gettext(WFTextActionText="Tea")\n'
        "# Then\n"
        "text.split\n"
        "setvariable(WFInput=[result of step 4: text.split])\n"
        'gettext(WFTextActionText="[output: Pot.as(WFStringContentItem).key(size)]")'
        " -> Pot (of step 6)\n"
        "setvariable(WFInput=[output: Pot (of step 6)], input: [result of step 1: comment])",
        action(0, "comment", WFCommentActionText="First of all"),
        action(1, "gettext", WFTextActionText="Tea"),
        action(2, "comment", WFCommentActionText="Then"),
        action(3, "text.split"),
        action(4, "setvariable"),
        action(5, "gettext", WFTextActionText="x"),
        action(6, "setvariable"),
    )
    lines = sample_input.workflow.split("\n")
    assert "[result of line 2: text split]" in lines[2]
    assert lines[3].endswith('"[output: Pot.key(size)]") -> Pot (of line 4)')
    assert "[output: Pot (of line 4)]" in lines[4]
    assert "[result: comment]" in lines[4]


def test_what_is_asked_for_and_records_of_apps_are_told_in_words() -> None:
    sample_input = given(
        "brewtea(Input=[needs input: ExtensionInput.property(size)])\n"
        "brewtea(Until=[needs input: CurrentDate])",
        action(0, "brewtea"),
        action(1, "brewtea"),
    )
    lines = sample_input.workflow.split("\n")
    assert "[needs input: what is shared with it.property(size)]" in lines[0]
    assert "[needs input: the current date]" in lines[1]
    sample_input = given(
        'openapp(app: {BundleIdentifier: "com.example.tea", Name: "Tea"}, sugar: {Name: "cane"})',
        action(0, "openapp"),
    )
    assert sample_input.workflow.endswith('(app: "Tea", sugar: {Name: "cane"})')


def test_a_filter_is_called_one() -> None:
    sample_input = given(
        "filter.teas(WFContentItemFilter=[where Colour is green])",
        action(0, "filter.teas", WFContentItemFilter={"Value": {}}),
    )
    assert sample_input.workflow.endswith("(filter: [where Colour is green])")


def test_long_descriptions_end_with_a_sentence() -> None:
    assert whole_sentences("Pours tea. Fills pots, e.g. two. Washes up.", 34) == (
        "Pours tea. Fills pots, e.g. two."
    )
    assert whole_sentences("Pours tea.", 40) == "Pours tea."
    assert whole_sentences("a" * 50, 20) == "a" * 14 + " [...]"


def test_what_apis_do_is_told_with_and_without_definitions() -> None:
    sample_input = given(
        "x\ny\nz", action(0, "timer.start"), action(1, "brewtea"), action(2, "setvariable")
    )
    assert [(api.title, api.description) for api in sample_input.apis] == [
        ("timer start", "start a timer"),
        ("brewtea", ""),
    ]


def test_names_of_how_it_is_built_are_collected() -> None:
    sample_input = given(
        "x\ny",
        action(0, "setvariable", WFVariableName="tea_count"),
        action(1, "setvariable", WFVariableName="tea"),
    )
    assert "tea_count" in sample_input.technical
    assert "WFVariableName" in sample_input.technical
    assert "tea" not in sample_input.technical


def test_a_name_that_a_program_made_up_is_no_name() -> None:
    assert given("x", action(0, "delay"), name="tools__0876e5f8df589a6c").name == ""
    assert given("x", action(0, "delay"), name="Tea facade").name == "Tea facade"


def test_definitions_are_found_in_the_workspace(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "enriched-1", 1)
    assert definitions_folder(source) is None
    assert read_facts(source) == {}
    for number, name in enumerate(("catalogue-1", "catalogue-2")):
        write_definitions(tmp_path / name)
        mark = tmp_path / name / "stage.json"
        mark.write_text("{}")
        os.utime(mark, (number, number))
    assert definitions_folder(source) == (tmp_path / "catalogue-2").resolve()
    assert "gardens.find" in read_facts(source)
    (tmp_path / "catalogue-2" / "stage.json").unlink()  # not finished
    assert definitions_folder(source) == (tmp_path / "catalogue-1").resolve()
    shutil.copytree(tmp_path / "catalogue-1", tmp_path / "evaluation-1")
    assert definitions_folder(source) == (tmp_path / "evaluation-1").resolve()


def test_endless_names_and_lines_take_no_time() -> None:
    began = time.process_time()
    for text in ("a" * 100_000, '"' * 100_000, "If [output: " * 8_000, "/a" * 50_000):
        sample_input = given(
            f'gettext(WFTextActionText="{text}")',
            action(0, "gettext", WFTextActionText=text),
            name=text,
        )
        assert len(sample_input.workflow) <= 6_000
        assert len(sample_input.name) <= 120
    assert time.process_time() - began < 5


def test_values_of_odd_shapes_are_no_literals() -> None:
    odd = {"Value": {"Magnitude": "many", "Unit": "mg"}, "WFSerializationType": {}}
    sample_input = given("x", action(0, "health.quantity.log", WFQuantitySampleQuantity=odd))
    assert sample_input.required == ()
