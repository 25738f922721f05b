"""Check that every WFActions entry is read by itself, with its relations and conditions."""

import json
import plistlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records import ApiDefinition, Dependency, EnumValue
from parsers.definitions import DefinitionContext, parse_definitions
from parsers.definitions.wfactions.summaries import placeholders, split_key
from parsers.errors import ParseError
from tests.support.samples.definitions import sample

ENTRIES: dict[str, object] = json.loads(sample("wfactions")[1])[0]


def parse(entries: dict[str, object]) -> dict[str, ApiDefinition]:
    parsed = parse_definitions(json.dumps(entries).encode(), DefinitionContext("WFActions.json"))
    return {definition.api: definition for definition in parsed.definitions}


DEFINITIONS = parse(ENTRIES)
LANTERN = DEFINITIONS["is.workflow.actions.lantern.set"]


@settings(max_examples=60, deadline=None)
@given(st.permutations(sorted(ENTRIES)), st.randoms(use_true_random=False))
def test_order_of_entries_changes_no_definition(order: list[str], chance: random.Random) -> None:
    shuffled = {name: ENTRIES[name] for name in order}
    chance.shuffle(order)
    definitions_by_api = parse(shuffled)
    assert {api: d.definition_id for api, d in definitions_by_api.items()} == {
        api: d.definition_id for api, d in DEFINITIONS.items()
    }


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(sorted(ENTRIES)), min_size=1))
def test_definition_is_equal_without_other_entries(names: set[str]) -> None:
    definitions_by_api = parse(
        {name: ENTRIES[name] for name in sorted(names)} | {"x": {"ActionClass": "A"}}
    )
    for name in names:
        assert definitions_by_api[name].definition_id == DEFINITIONS[name].definition_id


def test_no_text_leaks_into_an_entry_without_it() -> None:
    silent = DEFINITIONS["is.workflow.actions.filter.lanterns"]
    assert (silent.description, silent.summaries, silent.parameters) == (None, (), ())


def test_parameter_relations_are_kept() -> None:
    time = next(p for p in LANTERN.parameters if p.name == "Time")
    assert time.depends_on == (
        Dependency("Until", "!=", ('"Dawn"',)),
        Dependency("@device.system_version", ">=", ('"13.0"',)),
    )
    picture = next(p for p in LANTERN.parameters if p.name == "WFInput")
    assert Dependency("Room", "has_value") in picture.depends_on
    assert picture.type == "public.image | public.text"
    assert picture.optional is True


def test_summary_keys_keep_their_conditions() -> None:
    assert [(s.template, s.conditions) for s in LANTERN.summaries] == [
        (
            "Turn lantern ${Lit} until ${Time}",
            (Dependency("Lit", "==", ("true",)), Dependency("Until", "==", ('"Time"',))),
        ),
        (
            "Turn lantern ${Lit} until ${Until}",
            (Dependency("Lit", "==", ("true",)), Dependency("Until", "==", ('"Dawn"',))),
        ),
        ("Turn lantern ${Lit}", ()),
    ]


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("", []),
        ("a,b", ["a", "b"]),
        ("a(1),b(At Time, or so) , c", ["a(1)", "b(At Time, or so)", "c"]),
        ("a(b", ["a(b"]),
        (" " * 300_000 + "a", ["a"]),
    ],
)
def test_summary_keys_are_split_outside_parentheses(key: str, parts: list[str]) -> None:
    assert split_key(key) == parts


def test_placeholders_of_a_hostile_template_are_read() -> None:
    assert placeholders("${" * 300_000) == ()
    assert placeholders("${a} ${b${c} ${a}") == ("a", "c")


def test_only_enumeration_classes_become_enums() -> None:
    kinds = {p.name: (p.type_kind, p.enum_values) for p in LANTERN.parameters}
    assert kinds["Until"] == ("enum", (EnumValue("Dawn"), EnumValue("Time")))
    assert kinds["Room"] == ("object", (EnumValue("Attic"),))


def test_falsy_defaults_and_bounds_are_kept() -> None:
    values = {p.name: (p.default, p.minimum, p.maximum) for p in LANTERN.parameters}
    assert values["Lit"] == ("false", None, None)
    assert values["Wicks"] == ("0", 0.0, 4.0)
    assert values["Names"][0] == '["One","Two"]'


def test_unknown_keys_and_deprecations_are_kept() -> None:
    assert [(u.path, u.value) for u in LANTERN.unknown] == [("ShinyNewKey", '{"answer":42}')]
    lamp = DEFINITIONS["org.example.lamps.rub"]
    assert lamp.deprecated
    assert lamp.app == "org.example.lamps"
    assert ("deprecation", "The genie left.") in [(n.kind, n.text) for n in lamp.notes]
    assert not DEFINITIONS["is.workflow.actions.lantern.read"].discoverable


def test_overrides_replace_parameters_declared_by_an_intent() -> None:
    definition = DEFINITIONS["is.workflow.actions.lantern.ask"]
    assert definition.oddities == ("declared_by_intent", "parameters_from_overrides")
    (kind,) = definition.parameters
    assert (kind.name, kind.enum_values) == (
        "WFLanternKind",
        (EnumValue("Oil", "oil"), EnumValue("Wax", "wax")),
    )


def test_binary_property_list_and_json_give_equal_definitions() -> None:
    data = plistlib.dumps(ENTRIES, fmt=plistlib.FMT_BINARY)
    parsed = parse_definitions(data, DefinitionContext("WFActions.plist"))
    assert {d.definition_id for d in parsed.definitions} == {
        d.definition_id for d in DEFINITIONS.values()
    }


def test_repeated_key_is_reported_and_the_rest_is_kept() -> None:
    text = json.dumps(ENTRIES)
    twice = text[:-1] + ', "is.workflow.actions.lantern.read": {"ActionClass": "A", "Name": "B"}}'
    parsed = parse_definitions(twice.encode(), DefinitionContext("WFActions.json"))
    assert [(p.reason, p.location) for p in parsed.problems] == [
        ("duplicate_key", "is.workflow.actions.lantern.read")
    ]
    assert len(parsed.definitions) == len(ENTRIES)


def test_bad_entry_costs_only_itself() -> None:
    parsed = parse_definitions(
        json.dumps({**ENTRIES, "bad": 7, "bad.relation": _bad_relation()}).encode(),
        DefinitionContext("WFActions.json"),
    )
    assert {(p.location, p.reason) for p in parsed.problems} == {
        ("bad", "bad_entry"),
        ("bad.relation", "bad_relation"),
    }
    assert len(parsed.definitions) == len(ENTRIES)


def _bad_relation() -> dict[str, object]:
    condition = {"WFResourceClass": "WFParameterRelationResource", "WFParameterValue": 1}
    parameter = {"Key": "a", "Class": "WFSwitchParameter", "RequiredResources": [condition]}
    return {"ActionClass": "A", "Parameters": [parameter]}


def test_action_with_an_unavailable_resource_is_deprecated() -> None:
    unavailable = {
        "WFResourceClass": "WFUnavailableResource",
        "WFUnavailableResourceReason": "Closed.",
    }
    definition = parse({"a.b": {"ActionClass": "A", "RequiredResources": [unavailable]}})["a.b"]
    assert definition.deprecated
    named = parse({"a.b": {"ActionClass": "A", "RequiredResources": ["WFUserInteractionResource"]}})
    assert not named["a.b"].deprecated


def test_repeated_key_of_a_binary_file_is_reported() -> None:
    entries = {"a.b": {"ActionClass": "A", "qqKeyOne": 1, "qqKeyTwo": 2}}
    data = plistlib.dumps(entries, fmt=plistlib.FMT_BINARY).replace(b"qqKeyTwo", b"qqKeyOne")
    parsed = parse_definitions(data, DefinitionContext("WFActions.plist"))
    assert [(p.reason, p.location) for p in parsed.problems] == [("duplicate_key", "qqKeyOne")]
    assert len(parsed.definitions) == 1


def test_shared_values_of_a_binary_file_are_accepted() -> None:
    shared = {"WFResourceClass": "WFUnavailableResource"}
    entries = {name: {"ActionClass": "A", "RequiredResources": [shared]} for name in "abc"}
    data = plistlib.dumps(entries, fmt=plistlib.FMT_BINARY)
    assert parse_definitions(data, DefinitionContext("WFActions.plist")).problems == ()


def test_deeply_nested_value_is_refused() -> None:
    deep = "[" * 700 + "]" * 700
    data = f'{{"a.b": {{"ActionClass": "A", "Odd": {deep}}}}}'.encode()
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("WFActions.json"))
    assert caught.value.reason == "too_deep"
