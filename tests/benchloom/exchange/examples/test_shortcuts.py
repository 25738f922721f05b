"""Tests of shortcuts as calls: they check references, variables, blocks and literals."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from benchloom.core.records import Shortcut
from benchloom.core.records.values import MAX_DEPTH, from_json, rendered, to_json
from benchloom.exchange.examples import Call, Composed, Example, Ref, RuntimeValue, Value
from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.shortcuts.calls import example_of_shortcut
from demo.containers import binary
from demo.drafts import Draft, attachment, dictionary, text, token, variable
from parsers.shortcuts import parse_shortcut
from tests.support.samples.shortcuts import action, argument, shortcut
from tests.support.shared_data import shared_file


def example(draft: Draft) -> Example:
    """Return the example of a shortcut."""
    return example_of_shortcut(parse_shortcut(binary(draft.build()), "x.shortcut"), {})


def argument_values(call: Call) -> dict[str, Value]:
    """Return the values of a call by argument name."""
    return {call_argument.name: call_argument.value for call_argument in call.arguments}


def tokens(value: Value) -> Iterator[Ref | RuntimeValue]:
    """Iterate over the references and runtime values in a value."""
    if isinstance(value, Ref | RuntimeValue):
        yield value
    elif isinstance(value, Composed):
        yield from (part for part in value.parts if not isinstance(part, str))
    elif isinstance(value, list):
        for element in value:
            yield from tokens(element)
    elif isinstance(value, dict):
        for element in value.values():
            yield from tokens(element)


def test_results_are_at_their_utf_16_offsets_in_texts() -> None:
    draft = Draft("Jam")
    fruit = draft.add("gettext", WFTextActionText="plums")
    draft.add("showresult", Text=text("\U0001f36f of ", fruit, " and ", token("Ask"), "!"))
    draft.add("showresult", Text=text(fruit))
    calls = example(draft).calls
    assert argument_values(calls[0]) == {"WFTextActionText": "plums"}
    assert argument_values(calls[1])["Text"] == Composed(
        ("\U0001f36f of ", Ref(0, "Text"), " and ", RuntimeValue("input", "Ask"), "!")
    )
    assert argument_values(calls[2])["Text"] == Ref(0, "Text")
    assert calls[0].returns == ("Text",)


def test_attachment_at_ordinary_text_keeps_the_text() -> None:
    draft = Draft("Odd range")
    token_text = text("jam")
    token_text["Value"] = {"string": "jam", "attachmentsByRange": {"{1, 1}": token("Clipboard")}}
    draft.add("showresult", Text=token_text)
    token_text = text("jam")
    token_text["Value"] = {"string": "jam", "attachmentsByRange": {"no range": token("Clipboard")}}
    draft.add("showresult", Text=token_text)
    first, second = (argument_values(call)["Text"] for call in example(draft).calls)
    assert first == Composed(("j", RuntimeValue("input", "Clipboard"), "am"))
    assert second == {
        "string": "jam",
        "attachmentsByRange": {"no range": RuntimeValue("input", "Clipboard")},
    }


def test_dictionary_becomes_an_object_unless_keys_repeat() -> None:
    draft = Draft("Fields")
    name = draft.add("gettext", WFTextActionText="sort")
    repeated_keys = dictionary({"a": "1"})
    fields = dictionary({"a": text(name), "b": "2"})
    items = repeated_keys["Value"]["WFDictionaryFieldValueItems"]  # type: ignore[index]  # nested JSON
    items += dictionary({"a": "2"})["Value"]["WFDictionaryFieldValueItems"]  # type: ignore[index]  # nested JSON
    draft.add("dictionary", WFItems=fields)
    draft.add("dictionary", WFItems=repeated_keys)
    calls = example(draft).calls
    assert argument_values(calls[1])["WFItems"] == {"a": Ref(0, "Text"), "b": "2"}
    assert argument_values(calls[2])["WFItems"] == [
        {"key": "a", "value": "1"},
        {"key": "a", "value": "2"},
    ]


def test_properties_of_results_and_inputs_are_kept() -> None:
    steps = [{"Type": "WFPropertyVariableAggrandizement", "PropertyName": "Name"}]
    draft = Draft("Parts")
    clipboard = draft.add("getclipboard")
    draft.add("showresult", Text=attachment({**clipboard, "Aggrandizements": steps}))
    draft.add("showresult", Text=attachment(token("ExtensionInput", Aggrandizements=steps)))
    calls = example(draft).calls
    assert argument_values(calls[1])["Text"] == Ref(0, "Getclipboard", "property(Name)")
    assert argument_values(calls[2])["Text"] == RuntimeValue(
        "input", "ExtensionInput", "property(Name)"
    )


def test_control_blocks_become_calls_with_depths() -> None:
    draft = Draft("Blocks")
    answer = draft.add("ask", WFAskActionPrompt="Which?")
    draft.control("conditional", "A", 0, WFInput={"Type": "Variable", "Variable": answer})
    draft.control("repeat.count", "B", 0, WFRepeatCount=3)
    draft.add("alert", WFAlertActionMessage=attachment(variable("Repeat Index")))
    draft.control("repeat.count", "B", 2)
    draft.control("conditional", "A", 1)
    draft.control("conditional", "A", 2)
    calls = example(draft).calls
    control_values = [
        (argument_values(c).get("GroupingIdentifier"), argument_values(c).get("WFControlFlowMode"))
        for c in calls
    ]
    assert control_values == [
        (None, None),
        ("block_0", 0),
        ("block_1", 0),
        (None, None),
        ("block_1", 2),
        ("block_0", 1),
        ("block_0", 2),
    ]
    assert [call.depth for call in calls] == [0, 0, 1, 2, 1, 0, 0]
    assert argument_values(calls[1])["WFInput"] == Ref(0, "Provided Input")
    assert argument_values(calls[3])["WFAlertActionMessage"] == Ref(2, "Repeat Index")


def test_tools_of_control_actions_require_their_group() -> None:
    draft = Draft("Tools")
    draft.control("choosefrommenu", "A", 0, WFMenuItems=["jam"])
    draft.control("choosefrommenu", "A", 1, WFMenuItemTitle="jam")
    draft.control("choosefrommenu", "A", 2)
    rendering = render_example(example(draft))
    assert rendering.losses == ()
    (tool,) = rendering.tools
    assert tool.parameters["required"] == ["GroupingIdentifier"]


def test_empty_shortcuts_get_different_example_ids() -> None:
    rows = [msgspec.structs.replace(shortcut(), source_uri=uri) for uri in ("a", "b")]
    first, second = (example_of_shortcut(row, {}).example_id for row in rows)
    assert first != second


def test_implicit_input_becomes_an_argument() -> None:
    draft = Draft("Early")
    draft.add("setvariable", WFVariableName="whole")
    draft.add("gettext", WFTextActionText="plums")
    draft.add("setvariable", WFVariableName="fruit")
    draft.add("showresult", Text=attachment(token("Input")))
    calls = example(draft).calls
    assert argument_values(calls[0])["WFInput"] == RuntimeValue("input", "ExtensionInput")
    assert argument_values(calls[2])["WFInput"] == Ref(1)
    assert argument_values(calls[3])["Text"] == Ref(1)


def set_variable(draft: Draft, variable_text: str, name: str = "jar") -> None:
    """Add an action that sets a variable to a text."""
    draft.add("setvariable", WFVariableName=name, WFInput=variable_text)


def show_variable(draft: Draft) -> None:
    """Add an action that shows the variable `jar`."""
    draft.add("showresult", Text=attachment(variable("jar")))


def test_variable_refers_to_the_call_that_set_it() -> None:
    draft = Draft("Straight")
    show_variable(draft)
    set_variable(draft, "a")
    set_variable(draft, "b")
    set_variable(draft, "c", "other")
    draft.control("conditional", "A", 0, WFInput="x")
    show_variable(draft)
    set_variable(draft, "d")
    show_variable(draft)
    draft.control("conditional", "A", 1)
    show_variable(draft)
    draft.control("conditional", "A", 2)
    show_variable(draft)
    texts = [
        argument_values(c)["Text"] for c in example(draft).calls if c.api.endswith("showresult")
    ]
    by_name = RuntimeValue("variable", "jar")
    assert texts == [by_name, Ref(2, "jar"), Ref(6, "jar"), by_name, by_name]


@pytest.mark.parametrize("later", [True, False])
def test_variable_set_again_in_a_loop_stays_a_name(later: bool) -> None:
    draft = Draft("Loop")
    set_variable(draft, "a")
    draft.control("repeat.count", "A", 0, WFRepeatCount=2)
    show_variable(draft)
    draft.control("conditional", "B", 0, WFInput="x")
    if later:
        set_variable(draft, "b")
    draft.control("conditional", "B", 2)
    draft.control("repeat.count", "A", 2)
    if not later:
        set_variable(draft, "b")
    text_value = argument_values(example(draft).calls[2])["Text"]
    assert text_value == (RuntimeValue("variable", "jar") if later else Ref(0, "jar"))


def test_variable_set_earlier_in_a_loop_is_a_reference() -> None:
    draft = Draft("Inner")
    draft.control("repeat.count", "A", 0, WFRepeatCount=2)
    set_variable(draft, "a")
    draft.control("repeat.count", "B", 0, WFRepeatCount=2)
    show_variable(draft)
    draft.control("repeat.count", "B", 2)
    set_variable(draft, "b")
    draft.control("repeat.count", "A", 2)
    show_variable(draft)
    calls = example(draft).calls
    assert argument_values(calls[3])["Text"] == Ref(1, "jar")
    assert argument_values(calls[7])["Text"] == RuntimeValue("variable", "jar")


def test_unresolved_references_are_findings() -> None:
    draft = Draft("Nowhere")
    dangling = token("ActionOutput", OutputUUID="none", OutputName="Gone")
    draft.add("showresult", Text=attachment(dangling))
    late = token("ActionOutput", OutputUUID="late", OutputName="Late")
    draft.add("showresult", Text=text("to ", late))
    draft.raw("is.workflow.actions.gettext", {"UUID": "late", "WFTextActionText": "x"})
    parsed_example = example(draft)
    assert argument_values(parsed_example.calls[0])["Text"] == RuntimeValue("missing", "Gone")
    assert argument_values(parsed_example.calls[1])["Text"] == Composed(
        ("to ", RuntimeValue("missing", "Late"))
    )
    assert [finding.kind for finding in parsed_example.findings] == [
        "dangling_reference",
        "forward_reference",
    ]


def test_damaged_values_are_findings() -> None:
    def shortcut_with_value(value: str) -> Shortcut:
        bad = msgspec.structs.replace(argument("a", 1), value=value)
        return shortcut(action(0, "gettext", bad))

    deep = "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)
    unclosed = "[" * 5000
    for value, kind in (('{"a":', "damaged_value"), (unclosed, "too_deep"), (deep, "too_deep")):
        parsed_example = example_of_shortcut(shortcut_with_value(value), {})
        assert [finding.kind for finding in parsed_example.findings] == [kind]
        assert argument_values(parsed_example.calls[0])["a"] == value


def test_five_thousand_unclosed_blocks_are_converted() -> None:
    draft = Draft("Deep")
    for number in range(5000):
        draft.control("repeat.count", f"G{number}", 0, WFRepeatCount=2)
    show_variable(draft)
    parsed_example = example(draft)
    assert parsed_example.calls[-1].depth == 5000


def test_runtime_values_survive_json() -> None:
    value: Value = {
        "a": RuntimeValue("input", "Ask", "as(x)"),
        "$b": Composed(("to ", RuntimeValue("variable", "jar"), Ref(0))),
    }
    assert from_json(to_json(value)) == value
    rendered_value = rendered(value, lambda ref: f"<{ref.step}>")
    assert rendered_value == {"a": "$input.Ask#as(x)$", "$b": "to $variable.jar$<0>"}
    assert rendered(RuntimeValue("variable", "a$b"), lambda _: "") == "$variable.a%24b$"


@pytest.mark.real_data
def test_calls_keep_every_reference_and_literal_of_real_files() -> None:
    counts: Counter[str] = Counter()
    with zipfile.ZipFile(shared_file("shortcuts.zip")) as archive:
        for entry in json.loads(archive.read("manifest.json")):
            row = parse_shortcut(archive.read(entry["file"]), entry["file"])
            compare(row, example_of_shortcut(row, {}), counts)
    assert counts == {
        "literals": 29136,
        "references": 21983,
        "inputs": 764,
        "implicit": 3062,
        "dangling_reference": 34,
        "forward_reference": 3,
    }


def compare(row: Shortcut, converted: Example, counts: Counter[str]) -> None:
    """Compare every argument of a row with that of its example, and count their parts."""
    counts.update(finding.kind for finding in converted.findings)
    for row_action, call in zip(row.actions, converted.calls, strict=True):
        values = argument_values(call)
        counts["implicit"] += row_action.implicit_input is not None
        for row_argument in row_action.arguments:
            value = values[row_argument.name]
            parts = Counter((part_name(part), part.path) for part in tokens(value))
            expected_parts = Counter(
                (reference.output or "", reference.path) for reference in row_argument.references
            )
            assert sum(parts.values()) == len(row_argument.references) + len(row_argument.inputs)
            assert expected_parts <= parts
            counts["references"] += len(row_argument.references)
            counts["inputs"] += len(row_argument.inputs)
            if row_argument.kind == "literal":
                plain = json.loads(row_argument.value)
                assert value == (plain["Value"]["string"] if isinstance(plain, dict) else plain)
                counts["literals"] += 1


def part_name(part: Ref | RuntimeValue) -> str:
    return (part.output if isinstance(part, Ref) else part.name) or ""
