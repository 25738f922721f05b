"""Check that references bind to the nearest earlier definition, and that ranges are in UTF-16."""

import pytest

from benchloom.core.records import Argument, Shortcut
from demo.containers import binary, xml
from demo.drafts import Draft, attachment, text, token, variable
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.cross_check import cross_check
from tests.support.demo_files.damaged import damaged_files


def parse(draft: Draft) -> Shortcut:
    return parse_shortcut(binary(draft.build()), "x")


def argument(shortcut: Shortcut, action: int, name: str) -> Argument:
    return next(a for a in shortcut.actions[action].arguments if a.name == name)


def test_offsets_are_utf16_units_and_sorted() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="x")
    draft.add(
        "showresult",
        Text=text("\U0001f4d6\U0001f30d ", text_output, " and ", token("Clipboard"), variable("v")),
    )
    text_argument = argument(parse(draft), 1, "Text")
    assert text_argument.kind == "text"
    assert [(r.kind, r.offset, r.length) for r in text_argument.references] == [
        ("output", 5, 1),
        ("variable", 12, 1),
    ]
    assert text_argument.references[0].action_index == 0
    assert text_argument.inputs == ("Clipboard",)


def test_duplicate_uuid_binds_to_the_nearest_earlier_one() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="first")
    output_uuid = text_output["OutputUUID"]
    draft.add("setclipboard", WFInput=attachment(text_output))
    draft.raw("is.workflow.actions.gettext", {"WFTextActionText": "second", "UUID": output_uuid})
    draft.add("setclipboard", WFInput=attachment(text_output))
    shortcut = parse(draft)
    assert argument(shortcut, 1, "WFInput").references[0].action_index == 0
    assert argument(shortcut, 3, "WFInput").references[0].action_index == 2
    assert "duplicate_uuid" in shortcut.oddities


def test_variable_binds_to_its_last_setter() -> None:
    draft = Draft("t")
    draft.add("setvariable", WFVariableName="v", WFInput=attachment(token("Clipboard")))
    draft.add("setvariable", WFVariableName="v", WFInput=attachment(token("CurrentDate")))
    draft.add("showresult", Text=text(variable("v"), variable("Repeat Item")))
    references = argument(parse(draft), 2, "Text").references
    assert [(r.output, r.action_index) for r in references] == [("v", 1), ("Repeat Item", None)]


def test_path_into_an_output_is_kept() -> None:
    draft = Draft("t")
    download_output = draft.add("downloadurl", WFURL="https://example.org")
    steps = [
        {"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "a.b"},
        {"Type": "WFCoercionVariableAggrandizement"},
    ]
    draft.add("count", Input=attachment({**download_output, "Aggrandizements": steps}))
    reference = argument(parse(draft), 1, "Input").references[0]
    assert reference.path == "key(a.b).as()"


def test_input_tokens_are_found_at_any_depth() -> None:
    draft = Draft("t")
    inner = {"a": [{"b": attachment(token("Ask"))}, text("x", token("ExtensionInput"))]}
    draft.add("org.example.app.Do", deep=inner)
    shortcut = parse(draft)
    assert argument(shortcut, 0, "deep").inputs == ("Ask", "ExtensionInput")
    assert shortcut.needs_input.kinds == ("Ask", "ExtensionInput")


def test_ids_ignore_generated_names_but_not_references() -> None:
    def build(title: str, output_name: str, *, swap: bool = False) -> Shortcut:
        draft = Draft(title)
        first = draft.add("gettext", WFTextActionText="one")
        second = draft.add("gettext", WFTextActionText="two")
        output = second if swap else first
        draft.add("showresult", Text=text({**output, "OutputName": output_name}))
        return parse_shortcut(xml(draft.build()), title)

    plain, renamed = build("a", "Text"), build("b", "Texto")
    assert plain.shortcut_id == renamed.shortcut_id
    assert plain.canonical_digest != renamed.canonical_digest
    assert build("a", "Text", swap=True).shortcut_id != plain.shortcut_id


def test_shared_mappings_do_not_change_the_id() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="first")
    shared = attachment(text_output)
    draft.add("setclipboard", WFInput=shared)
    draft.raw(
        "is.workflow.actions.gettext", {"WFTextActionText": "2", "UUID": text_output["OutputUUID"]}
    )
    draft.add("setclipboard", WFInput=shared)
    root = draft.build()
    assert (
        parse_shortcut(binary(root), "x").shortcut_id == parse_shortcut(xml(root), "x").shortcut_id
    )


@pytest.mark.parametrize("odd", [{}, {"a": 1}, [], ["b"], 3, True])
def test_malformed_serialization_type_gives_a_structure(odd: object) -> None:
    draft = Draft("t")
    draft.add("setclipboard", WFInput={"Value": "x", "WFSerializationType": odd})
    draft.add("showresult", Text="after")
    shortcut = parse(draft)
    assert argument(shortcut, 0, "WFInput").kind == "structure"
    assert argument(shortcut, 1, "Text").value == '"after"'


def test_boolean_action_index_is_out_of_range() -> None:
    draft = Draft("t")
    draft.add("showresult", Text="x")
    root = draft.build()
    for index, expected_index in ((0, 0), (True, None), (False, None), (7, None), ("0", None)):
        root["WFWorkflowImportQuestions"] = [{"ActionIndex": index, "Text": "Why?"}]
        shortcut = parse_shortcut(binary(root), "x")
        assert shortcut.needs_input.import_questions[0].action_index == expected_index
        assert ("import_question_out_of_range" in shortcut.oddities) == (expected_index is None)


@pytest.mark.parametrize("key", ["{%s, 1}" % ("9" * 5001), "{0, %s}" % ("1" * 11), "{\u0662, 1}"])
def test_oversized_ranges_have_no_offset(key: str) -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="one")
    value = {"string": "\ufffc", "attachmentsByRange": {key: text_output}}
    draft.add("showresult", Text={"Value": value, "WFSerializationType": "WFTextTokenString"})
    shortcut = parse(draft)
    assert argument(shortcut, 1, "Text").references[0].offset is None
    assert "range_without_placeholder" in shortcut.oddities


def test_cross_check_skips_unbounded_shared_references() -> None:
    shared, reason = damaged_files()["shared-references.shortcut"]
    assert reason == "too_many_nodes"
    cross_check(shared)  # without the skip, this would never return


@pytest.mark.parametrize("count", [20, 300])
def test_dangling_ids_count_by_position_at_any_number(count: int) -> None:
    def build(prefix: str, *, turned: bool = False, swapped: bool = False) -> str:
        ids = [f"{prefix}-{(number * 7919) % 100_003}" for number in range(count)]
        if swapped:
            ids[0] = ids[1]
        items = [
            attachment({"Type": "ActionOutput", "OutputUUID": output_uuid}) for output_uuid in ids
        ]
        parameters: dict[str, object] = {"WFItems": items, "Other": "x"}
        if turned:
            parameters = dict(reversed(parameters.items()))
        action = {
            "WFWorkflowActionIdentifier": "is.workflow.actions.list",
            "WFWorkflowActionParameters": parameters,
        }
        return parse_shortcut(binary({"WFWorkflowActions": [action]}), "x").shortcut_id

    assert build("A") == build("B") == build("B", turned=True)
    assert build("A") != build("A", swapped=True)
