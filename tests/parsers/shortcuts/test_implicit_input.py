"""Check implicit inputs: actions that read the previous output, and variables that loops set."""

from demo.drafts import Draft, attachment, text, token, variable
from tests.parsers.shortcuts.drafts import argument, describe, parse


def set_variable(draft: Draft, name: str) -> None:
    draft.raw("is.workflow.actions.setvariable", {"WFVariableName": name})


def implicit_inputs(draft: Draft) -> list[tuple[int, int | None, str | None]]:
    return [
        (action.index, action.implicit_input.action_index, action.implicit_input.output)
        for action in parse(draft).actions
        if action.implicit_input is not None
    ]


def test_variable_without_input_reads_the_previous_output() -> None:
    draft = Draft("t")
    draft.raw("is.workflow.actions.gettext", {"WFTextActionText": "a"})
    draft.add("comment", WFCommentActionText="looked through")
    set_variable(draft, "v")
    set_variable(draft, "w")
    draft.add("setvariable", WFVariableName="x", WFInput=attachment(token("Clipboard")))
    set_variable(draft, "y")
    assert implicit_inputs(draft) == [(2, 0, None), (3, 0, None), (5, 4, None)]
    implicit_input = parse(draft).actions[2].implicit_input
    assert implicit_input is not None
    assert (implicit_input.kind, implicit_input.location) == ("implicit", "WFInput")
    assert (
        describe(draft)[2] == 'setvariable(WFVariableName="v", input: [result of step 1: gettext])'
    )


def test_first_action_reads_the_shortcut_input() -> None:
    draft = Draft("t")
    draft.add("comment", WFCommentActionText="first")
    set_variable(draft, "v")
    assert implicit_inputs(draft) == [(1, None, "ExtensionInput")]
    assert describe(draft)[1] == 'setvariable(WFVariableName="v", input: [input of the shortcut])'
    assert parse(draft).needs_input.kinds == ()


def test_branches_read_the_input_of_their_block() -> None:
    draft = Draft("t")
    draft.raw("is.workflow.actions.gettext", {})
    draft.control("conditional", "a", 0, WFCondition=100)
    set_variable(draft, "then")
    draft.raw("is.workflow.actions.gettext", {})
    draft.control("conditional", "a", 1)
    set_variable(draft, "otherwise")
    draft.control("conditional", "a", 2)
    set_variable(draft, "after")
    assert implicit_inputs(draft) == [(1, 0, None), (2, 0, None), (5, 0, None), (7, 6, None)]
    assert describe(draft)[1] == "If [result of step 1: gettext] has any value"
    assert describe(draft)[7].endswith("input: [result of step 7: End If])")


def test_if_with_an_input_passes_its_output_on() -> None:
    draft = Draft("t")
    draft.raw("is.workflow.actions.gettext", {})
    draft.control("conditional", "a", 0, WFCondition=100, WFInput=attachment(token("Clipboard")))
    set_variable(draft, "then")
    draft.control("conditional", "a", 2)
    assert implicit_inputs(draft) == [(2, 1, None)]


def test_menus_pass_input_on_and_loops_pass_their_item() -> None:
    draft = Draft("t")
    draft.raw("is.workflow.actions.gettext", {})
    draft.control("choosefrommenu", "m", 0)
    draft.control("choosefrommenu", "m", 1, WFMenuItemTitle="a")
    set_variable(draft, "case")
    draft.control("choosefrommenu", "m", 2)
    draft.control("repeat.each", "r", 0)
    set_variable(draft, "outer")
    draft.control("repeat.each", "s", 0)
    set_variable(draft, "inner")
    draft.control("repeat.each", "s", 2)
    draft.control("repeat.each", "r", 2)
    assert implicit_inputs(draft) == [
        (3, 0, None),
        (5, 4, None),
        (6, 5, "Repeat Item"),
        (7, 5, "Repeat Item"),
        (8, 7, "Repeat Item 2"),
    ]
    lines = describe(draft)
    assert lines[5] == "Repeat for each item in [result of step 5: End Menu]"
    assert lines[8].strip().endswith("input: [variable: Repeat Item 2])")


def test_legacy_input_token_refers_to_the_previous_output() -> None:
    draft = Draft("t")
    draft.raw("is.workflow.actions.gettext", {"WFTextActionText": "a"})
    draft.add("alert", WFAlertActionMessage=text("It says: ", token("Input")))
    draft.add("showresult", Text=attachment(token("Input")))
    shortcut = parse(draft)
    assert shortcut.needs_input.kinds == ()
    message_argument = argument(shortcut, 1, "WFAlertActionMessage")
    assert message_argument.inputs == ()
    assert [(r.kind, r.action_index, r.offset) for r in message_argument.references] == [
        ("implicit", 0, 9)
    ]
    assert argument(shortcut, 2, "Text").kind == "reference"
    assert shortcut.workflow.split("\n")[1:] == [
        'alert(WFAlertActionMessage="It says: [result of step 1: gettext]")',
        "showresult(Text=[result of step 1: gettext])",
    ]


def draft_with_loops(*kinds: str) -> Draft:
    draft = Draft("t")
    for number, kind in enumerate(kinds):
        draft.control(kind, f"g{number}", 0)
    return draft


def producer_indexes(draft: Draft, *names: str) -> list[int | None]:
    draft.add("showresult", Text=text(*(variable(name) for name in names)))
    last = len(draft.actions) - 1
    return [r.action_index for r in argument(parse(draft), last, "Text").references]


def test_loop_variables_bind_to_the_loop_of_their_depth() -> None:
    draft = draft_with_loops("repeat.each", "repeat.count", "conditional", "repeat.each")
    action_indexes = producer_indexes(
        draft, "Repeat Item", "Repeat Index", "Repeat Index 2", "Repeat Item 3", "Repeat Index 3"
    )
    assert action_indexes == [0, 0, 1, 3, 3]
    assert "loop_variable_outside_loop" not in parse(draft).oddities


def test_loop_variables_outside_loops_dangle_and_are_flagged() -> None:
    for draft in (
        draft_with_loops(),
        draft_with_loops("repeat.count"),
        draft_with_loops("repeat.each"),
    ):
        if draft.actions:
            draft.control(draft.actions[0]["WFWorkflowActionIdentifier"][20:], "g0", 2)  # type: ignore[index]  # nested JSON
        assert producer_indexes(draft, "Repeat Item") == [None]
        assert "loop_variable_outside_loop" in parse(draft).oddities
    assert producer_indexes(draft_with_loops("repeat.count"), "Repeat Item") == [None]
    assert producer_indexes(draft_with_loops("repeat.each"), "Repeat Item 2") == [None]


def test_inner_loop_over_repeat_item_reads_the_outer_loop() -> None:
    draft = draft_with_loops("repeat.each")
    draft.control("repeat.each", "in", 0, WFInput=attachment(variable("Repeat Item")))
    assert argument(parse(draft), 1, "WFInput").references[0].action_index == 0


def test_names_similar_to_loop_variables_are_variables() -> None:
    draft = draft_with_loops("repeat.each")
    set_variable(draft, "Repeat Item 99999999999999999999")
    set_variable(draft, "Repeat Items")
    assert producer_indexes(draft, "Repeat Items", "Repeat Item 99999999999999999999") == [2, 1]


def test_unclosed_inner_blocks_end_with_the_outer_block() -> None:
    draft = draft_with_loops("repeat.each", "repeat.each")
    draft.control("repeat.each", "g0", 2)
    assert producer_indexes(draft, "Repeat Item") == [None]


def test_thousands_of_nested_loops_are_resolved() -> None:
    draft = draft_with_loops(*["repeat.each"] * 3000)
    assert producer_indexes(draft, "Repeat Item 3000", "Repeat Item 3001") == [2999, None]
