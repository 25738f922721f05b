"""Check workflow descriptions that fill in the summaries of API definitions."""

import msgspec
import pytest

from benchloom.core.records import (
    Action,
    ApiDefinition,
    Dependency,
    EnumValue,
    Note,
    Parameter,
    Reference,
    Return,
    Summary,
)
from parsers.shortcuts.arguments import with_implicit_inputs
from parsers.shortcuts.wording.filled_summaries import describe_calls, fitting_summary
from tests.support.samples.shortcuts import action, argument, shortcut

SHORTCUT_INPUT = "[input of the shortcut]"
LIT = Parameter(name="Lit", type="Boolean", type_kind="primitive", default="false")
UNTIL = Parameter(name="Until", type="String", type_kind="enum", default='"Dawn"')
TIME = Parameter(name="Time", type="Date", type_kind="primitive", title="Time of day")
INPUT = Parameter(name="WFInput", type="Any", type_kind="object")
ON = Dependency("Lit", "==", ("true",))
AT_TIME = Dependency("Until", "==", ('"Time"',))
AT_DAWN = Dependency("Until", "==", ('"Dawn"',))
LANTERN = ApiDefinition(
    definition_id="api:test:1",
    api="is.workflow.actions.lantern",
    app="is.workflow.actions",
    source_kind="wfactions",
    parameters=(LIT, UNTIL, TIME, INPUT),
    returns=(Return("Lantern State", "String", "primitive"),),
    summaries=(
        Summary("Light ${WFInput} until ${Time}", ("Lit", "Until", "Time"), (ON, AT_TIME)),
        Summary("Light ${WFInput} until ${Until}", ("Lit", "Until"), (ON, AT_DAWN)),
        Summary("Turn lantern ${Lit}", ("Lit",)),
    ),
    source_uri="x",
    source_digest="file:x",
)


def describe(*actions: Action) -> list[str]:
    definitions = {LANTERN.api: LANTERN}
    return describe_calls(actions, definitions.get).split("\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, "Turn lantern false"),
        ({"Lit": 0}, "Turn lantern false"),
        ({"Lit": True}, 'Light [input of the shortcut] until "Dawn"  {Lit: true}'),
        (
            {"Lit": True, "Until": "Time", "Time": "6 AM"},
            'Light [input of the shortcut] until "6 AM"  {Lit: true, Until: "Time"}',
        ),
        (
            {"Lit": True, "Until": "Time"},
            f'Light {SHORTCUT_INPUT} until [Time of day not given]  {{Lit: true, Until: "Time"}}',
        ),
        (
            {"Lit": 1, "Until": "Dawn", "Extra": [1]},
            'Light [input of the shortcut] until "Dawn"  {Lit: 1, Extra: [1]}',
        ),
    ],
)
def test_matching_summary_is_filled_in(arguments: dict[str, object], line: str) -> None:
    action_arguments = [argument(name, value) for name, value in arguments.items()]
    assert describe(action(0, "lantern", *action_arguments)) == [line]


def test_summary_with_undecidable_condition_is_not_chosen() -> None:
    ask_argument = argument("Lit", {"Type": "Ask"}, "input")
    summary = fitting_summary({ask_argument.name: ask_argument}, LANTERN)
    assert summary is not None
    assert summary.template == "Turn lantern ${Lit}"


def test_values_are_described_as_without_a_summary() -> None:
    reference = Reference("output", 0, "Wick", "", "")
    token = {"Value": {"Type": "ActionOutput", "OutputUUID": "U", "OutputName": "Wick"}}
    wrapped = {**token, "WFSerializationType": "WFTextTokenAttachment"}
    lantern_action = action(
        1,
        "lantern",
        argument("Lit", value=True),
        argument("WFInput", wrapped, "reference", reference),
        uuid="V",
        output_name="My Light",
    )
    wick = action(0, "org.other.thing.Do", uuid="U")
    assert describe(wick, lantern_action)[1] == (
        'Light [output: Wick] until "Dawn"  {Lit: true} -> My Light'
    )
    unnamed = msgspec.structs.replace(lantern_action, output_name=None)
    assert describe(wick, unnamed)[1].endswith("-> Lantern State")


def test_control_comments_and_unknown_actions_need_no_summary() -> None:
    comment = action(0, "comment", argument("WFCommentActionText", "light it"))
    unknown = action(1, "org.other.thing.Do", argument("a", 1))
    opened = msgspec.structs.replace(action(2, "is.workflow.actions.repeat.count"), control="open")
    nested = msgspec.structs.replace(action(3, "lantern"), depth=1)
    assert describe(comment, unknown, opened, nested) == [
        "# light it",
        "org.other.thing.Do(a=1)",
        "Repeat 1 times",
        "  Turn lantern false",
    ]


def test_missing_declared_input_is_the_previous_output() -> None:
    split = msgspec.structs.replace(
        LANTERN,
        parameters=(Parameter(name="text", type="String", type_kind="primitive", title="Text"),),
        summaries=(Summary("Split ${text}", ("text",)),),
        notes=(Note("input_types", '{"ParameterKey":"text","Types":["NSString"]}'),),
    )
    definitions = {split.api: split}
    text_argument = argument("text", "a b")
    assert (
        describe_calls([action(0, split.api)], definitions.get) == "Split [input of the shortcut]"
    )
    assert describe_calls([action(0, split.api, text_argument)], definitions.get) == 'Split "a b"'
    before = action(0, "gettext", argument("WFTextActionText", "a b"))
    lines = describe_calls([before, action(1, split.api)], definitions.get).split("\n")
    assert lines[1] == "Split [result of step 1: gettext]"


FOLD = msgspec.structs.replace(
    LANTERN,
    api="is.workflow.actions.fold",
    parameters=(),
    summaries=(),
    notes=(Note("input_types", '{"ParameterKey":"WFPaper","Required":true}'),),
)


@pytest.mark.parametrize(
    ("version", "note", "values", "location"),
    [
        ("754", '{"ParameterKey":"WFPaper","Required":true}', {}, "WFPaper"),
        ("754", '{"Required":true}', {"Side": 1}, ""),
        ("754", '{"ParameterKey":"WFPaper","Required":true}', {"WFPaper": 1}, None),
        ("754", '{"ParameterKey":"WFPaper","Required":false}', {}, None),
        ("754", '["odd"]', {}, None),
        ("1050.22", '{"ParameterKey":"WFPaper","Required":true}', {}, None),
        ("9" * 5000, '{"ParameterKey":"WFPaper","Required":true}', {}, None),
        (None, '{"ParameterKey":"WFPaper","Required":true}', {}, None),
    ],
)
def test_required_input_of_an_early_file_is_implicit(
    version: str | None, note: str, values: dict[str, object], location: str | None
) -> None:
    fold = msgspec.structs.replace(FOLD, notes=(Note("input_types", note),))
    arguments = [argument(name, value) for name, value in values.items()]
    early_shortcut = shortcut(action(0, "gettext"), action(1, fold.api, *arguments))
    early_shortcut = msgspec.structs.replace(early_shortcut, client_version=version)
    actions = with_implicit_inputs(early_shortcut, {fold.api: fold}.get)
    assert actions[0] is early_shortcut.actions[0]
    implicit_reference = actions[1].implicit_input
    assert (implicit_reference.location if implicit_reference else None) == location
    if implicit_reference is None:
        assert actions[1] is early_shortcut.actions[1]
    else:
        assert (implicit_reference.kind, implicit_reference.action_index) == ("implicit", 0)
        line = describe_calls(actions, {fold.api: fold}.get).split("\n")[1]
        assert line.endswith("input: [result of step 1: gettext])")


def test_blanks_inside_values_are_kept() -> None:
    lantern_action = action(0, "lantern", argument("Lit", value=True), argument("Until", "a  b\tc"))
    assert describe(lantern_action) == ['Turn lantern true  {Until: "a  b\\tc"}']
    odd = msgspec.structs.replace(
        LANTERN, summaries=(Summary(" Wait\n for ${Until} ", ("Until",)),)
    )
    (line,) = describe_calls([lantern_action], {LANTERN.api: odd}.get).split("\n")
    assert line.startswith('Wait for "a  b\\tc"')


def test_default_output_names_are_labelled_with_steps() -> None:
    lines = describe(action(0, "lantern", uuid="A"), action(1, "lantern", uuid="B"))
    assert [line.partition(" -> ")[2] for line in lines] == [
        "Lantern State (of step 1)",
        "Lantern State (of step 2)",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, 'fold(Side="Left", Window="Full")'),
        ({"Side": "Right"}, 'fold(Side="Right", Edge="Sharp")'),
        ({"Side": "Right", "Edge": "Round"}, 'fold(Side="Right", Edge="Round")'),
        ({"Old": "Left"}, 'fold(Old="Left", Side="Left")'),
    ],
)
def test_unchanged_choices_are_listed_without_a_summary(
    arguments: dict[str, object], line: str
) -> None:
    def choice(name: str, default: str, *dependencies: Dependency) -> Parameter:
        values = tuple(map(EnumValue, ("Left", "Right", "Sharp", "Round")))
        kind = Parameter(name=name, type="Choice", type_kind="enum", default=f'"{default}"')
        return msgspec.structs.replace(kind, enum_values=values, depends_on=dependencies)

    unlisted = Parameter(name="Window", type="Choice", type_kind="enum", default='"Full"')
    on_the_right = Dependency("Side", "==", ('"Right"',))
    fold = msgspec.structs.replace(
        FOLD,
        notes=(),
        parameters=(choice("Side", "Left"), choice("Edge", "Sharp", on_the_right), unlisted),
    )
    supplied = [argument(name, value) for name, value in arguments.items()]
    assert describe_calls([action(0, fold.api, *supplied)], {fold.api: fold}.get) == line


def test_summary_is_followed_by_omitted_defaults() -> None:
    side = Parameter(
        name="Side",
        type="Choice",
        type_kind="enum",
        default='"Left"',
        enum_values=(EnumValue("Left"),),
    )
    depth = Parameter(name="Depth", type="Number", type_kind="primitive", default="100")
    fold = msgspec.structs.replace(
        FOLD, notes=(), parameters=(side, depth, LIT), summaries=(Summary("Fold", ()),)
    )
    for arguments, line in (
        ((), 'Fold  {Side: "Left", Depth: 100}'),
        ((argument("Depth", 7),), 'Fold  {Depth: 7, Side: "Left"}'),
        ((argument("Old", "x"),), 'Fold  {Old: "x", Side: "Left"}'),
    ):
        assert describe_calls([action(0, fold.api, *arguments)], {fold.api: fold}.get) == line
