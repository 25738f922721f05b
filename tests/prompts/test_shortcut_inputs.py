"""Check that a shortcut's prompt has plain names, single comments and a bounded length."""

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


def build_input(workflow: str, *actions: ActionRow, name: str | None = None) -> ShortcutInput:
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


def test_parameters_have_plain_names_and_switches_are_omitted() -> None:
    sample_input = build_input(
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


def test_technical_text_is_shown_if_the_action_has_no_other_text() -> None:
    sample_input = build_input(
        'gettext(WFTextActionText="honk_horn") -> Text',
        action(0, "gettext", WFTextActionText="honk_horn"),
    )
    assert sample_input.workflow == 'Text(text: "honk_horn") -> Text'


def test_app_without_a_name_is_shown_by_identifier() -> None:
    sample_input = build_input(
        'Open App  {WFAppIdentifier: "com.example.tea"}',
        action(0, "openapp", WFAppIdentifier="com.example.tea"),
    )
    assert sample_input.workflow == 'Open App  {app identifier: "com.example.tea"}'
    assert sample_input.required == ()


def test_comment_appears_once_without_boilerplate() -> None:
    text = (
        "Waters the plants\nCopyright 2020 by somebody\nLicensed under MIT\n"
        "https://plants.example\nVersion 1.2\n====="
    )
    sample_input = build_input(
        "# Waters the plants Copyright ...\nDo it",
        action(0, "comment", WFCommentActionText=text),
        action(1, "delay", WFDelayTime=3),
    )
    assert sample_input.comments == ("Waters the plants",)
    assert sample_input.workflow == "Do it"
    assert author_comments(["a b", "a b", "(c) 2021", ""]) == ("a b",)


def test_line_that_introduces_an_address_is_removed() -> None:
    text = "Waters the plants.\nLatest version at:\nhttps://plants.example/a\nYou will need:\na can"
    assert author_comments([text]) == ("Waters the plants. You will need: a can",)
    assert author_comments(["Used with:\n\nhttps://plants.example", "Used with:"]) == ()
    assert author_comments(['Current Version: "1.02"', "Version    : 2.0 beta"]) == ()
    assert author_comments(["LaunchCutsTags\nplants\ngarden"]) == ()


def test_references_use_numbers_of_visible_lines() -> None:
    sample_input = build_input(
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


def test_requested_inputs_and_app_records_are_shown_in_words() -> None:
    sample_input = build_input(
        "brewtea(Input=[needs input: ExtensionInput.property(size)])\n"
        "brewtea(Until=[needs input: CurrentDate])",
        action(0, "brewtea"),
        action(1, "brewtea"),
    )
    lines = sample_input.workflow.split("\n")
    assert "[needs input: what is shared with it.property(size)]" in lines[0]
    assert "[needs input: the current date]" in lines[1]
    sample_input = build_input(
        'openapp(app: {BundleIdentifier: "com.example.tea", Name: "Tea"}, sugar: {Name: "cane"})',
        action(0, "openapp"),
    )
    assert sample_input.workflow.endswith('(app: "Tea", sugar: {Name: "cane"})')


def test_filter_parameter_is_called_filter() -> None:
    sample_input = build_input(
        "filter.teas(WFContentItemFilter=[where Colour is green])",
        action(0, "filter.teas", WFContentItemFilter={"Value": {}}),
    )
    assert sample_input.workflow.endswith("(filter: [where Colour is green])")


def test_long_description_is_cut_after_a_sentence() -> None:
    assert whole_sentences("Pours tea. Fills pots, e.g. two. Washes up.", 34) == (
        "Pours tea. Fills pots, e.g. two."
    )
    assert whole_sentences("Pours tea.", 40) == "Pours tea."
    assert whole_sentences("a" * 50, 20) == "a" * 14 + " [...]"


def test_known_apis_are_described_without_definitions() -> None:
    sample_input = build_input(
        "x\ny\nz", action(0, "timer.start"), action(1, "brewtea"), action(2, "setvariable")
    )
    assert [(api.title, api.description) for api in sample_input.apis] == [
        ("timer start", "start a timer"),
        ("brewtea", ""),
    ]


def test_technical_names_are_collected() -> None:
    sample_input = build_input(
        "x\ny",
        action(0, "setvariable", WFVariableName="tea_count"),
        action(1, "setvariable", WFVariableName="tea"),
    )
    assert "tea_count" in sample_input.technical
    assert "WFVariableName" in sample_input.technical
    assert "tea" not in sample_input.technical


def test_generated_shortcut_name_is_ignored() -> None:
    assert build_input("x", action(0, "delay"), name="tools__0876e5f8df589a6c").name == ""
    assert build_input("x", action(0, "delay"), name="Tea facade").name == "Tea facade"


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


def test_very_long_names_and_lines_are_cut_quickly() -> None:
    started = time.process_time()
    for text in ("a" * 100_000, '"' * 100_000, "If [output: " * 8_000, "/a" * 50_000):
        sample_input = build_input(
            f'gettext(WFTextActionText="{text}")',
            action(0, "gettext", WFTextActionText=text),
            name=text,
        )
        assert len(sample_input.workflow) <= 6_000
        assert len(sample_input.name) <= 120
    assert time.process_time() - started < 5


def test_malformed_values_are_not_literals() -> None:
    odd = {"Value": {"Magnitude": "many", "Unit": "mg"}, "WFSerializationType": {}}
    sample_input = build_input("x", action(0, "health.quantity.log", WFQuantitySampleQuantity=odd))
    assert sample_input.required == ()
