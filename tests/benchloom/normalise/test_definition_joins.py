"""Tests of shortcuts and definitions: joins, faults, evaluation exclusions and app counts."""

from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import (
    ApiDefinition,
    Dependency,
    Parameter,
    Reference,
    Shortcut,
)
from benchloom.normalise.definitions import DefinitionIndex, holds
from benchloom.normalise.definitions.app_table import (
    AppCounts,
    AppFlags,
    calls_of,
    missing_apps,
    read_flags,
    store_link,
)
from benchloom.normalise.definitions.control_definitions import control_definitions
from benchloom.normalise.shortcuts.splits import find_exclusions, find_faults
from tests.support.samples.api_definitions import api_definition
from tests.support.samples.shortcuts import action, argument, shortcut

SWITCH = Parameter(name="Lit", type="Boolean", type_kind="primitive", default="false")
ROOM = Parameter(
    name="room",
    type="String",
    type_kind="primitive",
    optional=False,
    depends_on=(Dependency("Lit", "==", ("true",)),),
)


def definition(api: str, *parameters: Parameter, kind: str = "appintents") -> ApiDefinition:
    """Return a definition whose app is derived from the API name."""
    app = "is.workflow.actions" if api.startswith("is.") else api.rpartition(".")[0]
    return api_definition(api, *parameters, app=app, source_kind=kind)


LIGHT = definition("org.example.lamp.LightIntent", SWITCH, ROOM)
OLD = msgspec.structs.replace(definition("org.example.lamp.OldIntent"), deprecated=True)
SECRET = msgspec.structs.replace(definition("org.example.lamp.SecretIntent"), discoverable=False)
SHOW = definition(
    "is.workflow.actions.show",
    Parameter(name="WFInput", type="Any", type_kind="object", optional=False),
    kind="wfactions",
)
INDEX = DefinitionIndex([LIGHT, OLD, SECRET, SHOW, *control_definitions()])


def shortcut_faults(shortcut: Shortcut) -> list[tuple[int | None, str, str]]:
    """Return (action index, reason, detail) of every fault of a shortcut against `INDEX`."""
    joined = tuple(INDEX.join(step) for step in shortcut.actions)
    return [(f.action_index, f.reason, f.detail) for f in find_faults(shortcut, joined, INDEX)]


@pytest.mark.parametrize(
    ("identifier", "reason"),
    [
        ("org.example.lamp.LightIntent", None),
        ("org.example.lamp.NewIntent", "unknown_api"),
        ("org.other.thing.Do", "unknown_app"),
        ("is.workflow.actions.unheard", "unknown_api"),
        ("is.workflow.actions.conditional", None),
    ],
)
def test_action_has_a_definition_or_a_reason(identifier: str, reason: str | None) -> None:
    joined = INDEX.join(action(0, identifier))
    assert joined.reason == reason
    assert (joined.definition_id is None) == (reason is not None)


@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        (Dependency("Lit", "==", ("true",)), True, True),
        (Dependency("Lit", "==", ("true",)), 1, True),
        (Dependency("Lit", "==", ("true",)), None, False),
        (Dependency("Lit", "!=", ("true",)), None, True),
        (Dependency("Lit", "has_value"), None, True),
        (Dependency("room", "has_value"), None, False),
        (Dependency("room", "has_no_value"), None, True),
        (Dependency("room", "==", ('"attic"',)), None, None),
        (Dependency("room", "==", ('"attic"', '"hall"')), "hall", True),
        (Dependency("room", ">", ("3",)), 5, True),
        (Dependency("room", "<", ("3",)), "5", False),
        (Dependency("room", "starts_with", ('"a"',)), "attic", None),
        (Dependency("@environment", "==", ('"Home"',)), "x", None),
    ],
)
def test_condition_is_true_false_or_unknown(
    condition: Dependency, value: object, expected: bool | None
) -> None:
    parameters = {"Lit": SWITCH, "room": ROOM}
    arguments = {} if value is None else {condition.parameter: argument(condition.parameter, value)}
    assert holds(condition, arguments, parameters) is expected


def test_condition_on_a_run_time_value_is_unknown() -> None:
    arguments = {"Lit": argument("Lit", {"Type": "Ask"}, "input")}
    assert holds(Dependency("Lit", "==", ("true",)), arguments, {"Lit": SWITCH}) is None
    assert holds(Dependency("Lit", "has_value"), arguments, {"Lit": SWITCH}) is True


def test_required_parameter_is_missing_only_if_its_condition_holds() -> None:
    light = LIGHT.api
    assert shortcut_faults(shortcut(action(0, light))) == []
    lit = action(0, light, argument("Lit", value=True))
    assert shortcut_faults(shortcut(lit)) == [(0, "missing_parameter", "room")]
    with_room = action(0, light, argument("Lit", value=True), argument("room", "attic"))
    assert shortcut_faults(shortcut(with_room)) == []


def test_required_parameter_with_a_default_may_be_left_out() -> None:
    size = Parameter(name="size", type="Integer", type_kind="primitive", optional=False)
    for default, missing in ((None, 1), ("0", 0)):
        size_parameter = msgspec.structs.replace(size, default=default)
        index = DefinitionIndex([definition("org.example.lamp.SizeIntent", size_parameter)])
        lamp_shortcut = shortcut(action(0, "org.example.lamp.SizeIntent"))
        joined = tuple(index.join(step) for step in lamp_shortcut.actions)
        assert len(find_faults(lamp_shortcut, joined, index)) == missing


def test_system_action_uses_the_previous_output() -> None:
    first = shortcut(action(0, "show"))
    assert shortcut_faults(first) == [(0, "missing_parameter", "WFInput")]
    assert shortcut_faults(shortcut(action(0, LIGHT.api), action(1, "show"))) == []


def test_faults_of_references_variables_and_control_flow() -> None:
    unresolved_reference = Reference("output", None, "Lamp", "", "")
    resolved_reference = Reference("output", 0, "Lamp", "", "")
    unset_variable = Reference("variable", None, "Colour", "", "")
    variable_set_later = Reference("variable", None, "Later", "", "")
    loop_variable = Reference("variable", None, "Repeat Item 2", "", "")
    broken_shortcut = shortcut(
        action(
            0, LIGHT.api, argument("a", {}, "reference", unresolved_reference, resolved_reference)
        ),
        action(
            1,
            LIGHT.api,
            argument("b", {}, "variable", unset_variable, loop_variable, variable_set_later),
        ),
        action(2, LIGHT.api, argument("WFVariableName", "Later")),
        action(3, "org.other.thing.Do"),
        oddities=("unclosed_block", "duplicate_uuid"),
    )
    assert shortcut_faults(broken_shortcut) == [
        (None, "unbalanced_control_flow", "unclosed_block"),
        (0, "unresolved_reference", "a: Lamp"),
        (1, "unresolved_variable", "b: Colour"),
        (3, "unknown_action", "org.other.thing.Do"),
    ]


@pytest.mark.parametrize(
    ("row", "reasons"),
    [
        (shortcut(action(0, LIGHT.api)), ()),
        (shortcut(action(0, "comment"), action(1, LIGHT.api)), ()),
        (shortcut(action(0, OLD.api)), ("deprecated_api",)),
        (shortcut(action(0, SECRET.api)), ("non_discoverable_api",)),
        (shortcut(action(0, "org.other.thing.Do")), ("missing_definition",)),
        (shortcut(action(0, LIGHT.api), length=31), ("too_long",)),
        (shortcut(action(0, "comment"), length=0), ("empty",)),
        (shortcut(action(0, "runworkflow")), ("missing_definition", "runs_other_shortcut")),
    ],
)
def test_exclusions_from_evaluation_have_reasons(row: Shortcut, reasons: tuple[str, ...]) -> None:
    assert find_exclusions(row, INDEX, {}) == reasons


def test_flagged_app_excludes_its_shortcuts() -> None:
    flags = {"org.example.lamp": AppFlags(paid=True, legacy=False, unavailable=True)}
    light_shortcut = shortcut(action(0, LIGHT.api))
    assert find_exclusions(light_shortcut, INDEX, flags) == ("paid_app", "unavailable_app")


def test_flags_file_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "apps.toml"
    assert read_flags(path) == {}
    path.write_text('["org.example.lamp"]\npaid = true\nnote = "bought"\n')
    assert read_flags(path) == {"org.example.lamp": AppFlags(paid=True, note="bought")}
    path.write_text('["org.example.lamp"]\ncheap = true\n')
    with pytest.raises(RunError, match=r"cheap.*valid flags"):
        read_flags(path)
    path.write_text("paid =")
    with pytest.raises(RunError, match=r"apps\.toml"):
        read_flags(path)


def test_missing_apps_are_counted_and_ranked() -> None:
    counts = AppCounts()
    for app_shortcut in (
        shortcut(action(0, LIGHT.api), action(1, "org.other.thing.Do")),
        shortcut(action(0, "org.other.thing.Do"), action(1, "org.third.app.Go")),
        shortcut(action(0, "org.third.app.Go"), action(1, "org.third.app.Go")),
        shortcut(action(0, "org.third.app.Go"), action(1, "comment")),
    ):
        counts.add(calls_of(app_shortcut, [INDEX.join(step) for step in app_shortcut.actions]))
    table = {app.app: app for app in counts.table({"org.third.app": AppFlags(paid=True)})}
    third = table["org.third.app"]
    assert (third.actions_seen, third.shortcuts, third.unlocks, third.paid) == (4, 3, 2, True)
    assert table["org.example.lamp"].has_definitions
    assert not table["org.other.thing"].has_definitions
    assert [app.app for app in missing_apps(list(table.values()))] == [
        "org.third.app",
        "org.other.thing",
    ]


def test_only_third_party_apps_have_store_links() -> None:
    assert store_link("org.example.lamp") == (
        "https://itunes.apple.com/lookup?bundleId=org.example.lamp"
    )
    assert store_link("com.apple.mobilenotes") is None
    assert store_link("is.workflow.actions") is None
