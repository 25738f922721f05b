"""Check names, types, defaults, conditions and summaries of intent definitions and App Intents."""

import pytest

from benchloom.core.records import ApiDefinition, Dependency, EnumValue, Parameter, Summary
from parsers.definitions import DefinitionContext, TextTables, parse_definitions
from parsers.definitions.actionsdata.types import read_type
from parsers.definitions.intentdefinition.format import class_name_of
from parsers.errors import ParseError
from tests.support.samples.definitions import sample

TEXTS = TextTables(({"dEsC01": "Brews a cup.", "PLANT_TITLE": "Plant Seed"},))


def parse(kind: str, app: str | None = "org.example") -> dict[str, ApiDefinition]:
    name, data = sample(kind)
    parsed = parse_definitions(data, DefinitionContext(name, app=app, texts=TEXTS))
    return {definition.api: definition for definition in parsed.definitions}


def parameters(definition: ApiDefinition) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in definition.parameters}


BREW = parse("sirikit")["org.example.CFBrewCoffeeIntent"]
PLANT = parse("appintents")["org.example.PlantSeedIntent"]


@pytest.mark.parametrize(
    ("intent", "name"),
    [
        ({"INIntentName": "Brew"}, "BrewIntent"),
        ({"INIntentName": "BrewIntent"}, "BrewIntent"),
        ({"INIntentName": "Brew", "INIntentClassPrefix": "CF"}, "CFBrewIntent"),
        ({"INIntentName": "Shop", "INIntentClassName": "PayIntent"}, "PayIntent"),
        (
            {
                "INIntentName": "Play",
                "INIntentClassName": "INPlayIntent",
                "INIntentClassPrefix": "IN",
                "INIntentType": "System",
            },
            "INPlayIntent",
        ),
    ],
)
def test_intent_class_names(intent: dict[str, object], name: str) -> None:
    assert class_name_of(intent) == name


def test_intent_without_a_name_is_refused() -> None:
    with pytest.raises(ParseError, match="without a name"):
        class_name_of({"INIntentTitle": "Nameless"})


def test_files_without_a_bundle_have_no_app() -> None:
    assert {d.app for d in parse("sirikit", None).values()} == {None}
    assert "CFBrewCoffeeIntent" in parse("sirikit", None)
    assert "PlantSeedIntent" in parse("appintents", None)


def test_intent_parameters_keep_defaults_limits_and_conditions() -> None:
    by_name = parameters(BREW)
    assert by_name["roast"].enum_values == (
        EnumValue("unknown", "any roast"),
        EnumValue("dark", "dark roast"),
    )
    assert by_name["roast"].default == '"dark"'
    assert (by_name["cups"].default, by_name["cups"].minimum, by_name["cups"].maximum) == (
        "0",
        0.0,
        12.0,
    )
    assert by_name["cups"].depends_on == (Dependency("roast", "==", ('"dark"',)),)
    assert by_name["milk"].default == "false"
    assert by_name["milk"].depends_on == ()
    assert by_name["foam"].depends_on == (Dependency("milk", "==", ("false",)),)
    assert (by_name["foam"].type_kind, by_name["foam"].unit) == ("measurement", "Seconds")
    assert by_name["photos"].file_types == ("public.image",)
    assert (by_name["photos"].count_minimum, by_name["photos"].count_maximum) == (2, 5)
    assert (by_name["mug"].type, by_name["thing"].type) == ("Mug", "Object")
    assert "relationship_without_parent" in BREW.oddities
    assert [u.path for u in BREW.unknown] == [
        "INIntentSteamLevel",
        "milk/relationship",
        "photos/INIntentParameterArraySizes",
    ]


def test_intent_output_is_the_named_response_value() -> None:
    (cup,) = BREW.returns
    assert (cup.name, cup.type, cup.multiple) == ("Cup", "Mug", True)
    assert cup.description == "Response value 'cup'."
    assert ("response", "machine: String") in [(n.kind, n.text) for n in BREW.notes]
    clean = parse("sirikit")["org.example.CleanIntent"]
    assert (clean.returns, clean.oddities) == ((), ("output_out_of_range",))
    assert clean.notes[0].text == "water: Integer"


def test_intent_texts_come_from_text_tables() -> None:
    assert BREW.description == "Brews a cup."
    assert PLANT.title == "Plant Seed"
    name, data = sample("appintents")
    without_tables = parse_definitions(data, DefinitionContext(name, app="org.example"))
    titles = {definition.api: definition.title for definition in without_tables.definitions}
    assert titles[PLANT.api] is None


def test_intent_summaries_are_read() -> None:
    assert BREW.summaries == (Summary("Brew ${cups} of ${roast}", ("roast", "cups")),)
    assert parse("sirikit")["org.example.CleanIntent"].summaries == (Summary("Clean"),)


def test_system_intents_are_marked() -> None:
    play = parse("sirikit")["org.example.INPlayMediaIntent"]
    assert play.oddities == ("system_intent",)
    assert not play.discoverable


def test_duplicate_keys_of_a_property_list_are_reported() -> None:
    data = sample("sirikit")[1].replace(
        b"<key>INIntentName</key><string>CleanIntent</string>",
        b"<key>INIntentName</key><string>Old</string>"
        b"<key>INIntentName</key><string>CleanIntent</string>",
    )
    parsed = parse_definitions(data, DefinitionContext("a.intentdefinition"))
    assert ("duplicate_key", "INIntentName") in [(p.reason, p.location) for p in parsed.problems]
    assert len(parsed.definitions) == 3


def test_app_intent_parameters_keep_types_defaults_and_oddities() -> None:
    by_name = parameters(PLANT)
    assert [by_name[name].default for name in ("seed", "deep", "count")] == ['"bean"', "false", "0"]
    assert (by_name["count"].minimum, by_name["count"].maximum) == (0.0, 9.5)
    assert (by_name["seed"].optional, by_name["count"].optional) == (False, True)
    assert (by_name["tags"].type, by_name["tags"].type_kind, by_name["tags"].multiple) == (
        "TagEntity",
        "entity",
        True,
    )
    assert (by_name["rows"].type, by_name["rows"].type_kind) == ("Array<String>", "array")
    assert by_name["spacing"].type_kind == "measurement"
    assert by_name["photo"].file_types == ("public.png",)
    assert by_name["moon"].type == "intents.99"
    assert {"unknown_type", "malformed_parameter"} <= set(PLANT.oddities)
    assert {u.path for u in PLANT.unknown} == {
        "parameters",
        "parameters/moon/LNSomethingNew",
        "parameters/moon/futureKey",
        "parameters/moon/valueType",
    }


def test_app_intent_summaries_keep_their_conditions() -> None:
    photo = Dependency("photo", "has_value")
    assert [s.conditions for s in PLANT.summaries] == [
        (photo, Dependency("seed", "==", ('"bean"',))),
        (photo, Dependency("seed", "!=", ('"bean"',))),
        (Dependency("photo", "has_no_value"),),
    ]
    assert PLANT.summaries[0].parameters == ("photo", "count")


def test_app_intent_deprecation_phrases_and_availability_are_read() -> None:
    assert PLANT.deprecated
    assert PLANT.replaced_by == "org.example.SowSeedIntent"
    assert not parse("appintents")["org.example.HiddenIntent"].discoverable
    assert ("phrase", "Plant a seed with ${applicationName}") in [
        (n.kind, n.text) for n in PLANT.notes
    ]
    assert [(a.name, a.introduced, a.obsoleted) for a in PLANT.availability] == [
        ("iOS", "17.0", "26.0"),
        ("any", "*", None),
    ]


@pytest.mark.parametrize(
    ("union", "name", "kind"),
    [
        ({"primitive": {"wrapper": {"typeIdentifier": 1}}}, "Boolean", "primitive"),
        ({"measurement": {"wrapper": {"unitType": 1}}}, "Length", "measurement"),
        ({"measurement": {"wrapper": {"unitType": 7}}}, "Duration", "measurement"),
        ({"primitive": {"wrapper": {"typeIdentifier": 7}}}, "Number", "primitive"),
        ({"intents": {"wrapper": {"typeIdentifier": 12}}}, "File", "file"),
        ({"primitive": {"wrapper": {"typeIdentifier": 12}}}, "AttributedString", "primitive"),
        ({"primitive": {"wrapper": {"typeIdentifier": 77}}}, "primitive.77", "primitive"),
        ({"searchCriteria": {}}, "SearchCriteria", "object"),
        ({"brandNew": {"wrapper": {}}}, "brandNew", "object"),
        ("text", "Any", "object"),
    ],
)
def test_type_numbers_are_read_per_namespace(union: object, name: str, kind: str) -> None:
    declared_type = read_type(union)
    assert (declared_type.type, declared_type.kind) == (name, kind)


@pytest.mark.parametrize("kind", ["sirikit", "wfactions"])
def test_cyclic_property_list_is_refused(kind: str) -> None:
    data = _cyclic_binary()
    name = {"sirikit": "a.intentdefinition", "wfactions": "WFActions.plist"}[kind]
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext(name))
    assert caught.value.reason in {"cyclic", "too_deep", "too_many_nodes"}


def _cyclic_binary() -> bytes:
    """Return a binary property list whose root list contains itself."""
    objects = b"bplist00" + b"\xa1\x00"
    trailer = bytes(6) + b"\x01\x01" + (1).to_bytes(8, "big") + bytes(8) + (10).to_bytes(8, "big")
    return objects + b"\x08" + trailer


def test_entities_of_xml_are_refused() -> None:
    head = b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    data = head + b"<plist><dict><key>INIntents</key><array/></dict></plist>"
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("a.intentdefinition"))
    assert caught.value.reason == "entities"


def test_oversized_array_sizes_are_kept_as_unknown_values() -> None:
    name, data = sample("sirikit")
    sizes = b"<key>INIntentParameterArraySizeSize</key><integer>%d</integer>"
    for size, expected_maximum in ((3, 3), (2**31 - 1, 2**31 - 1), (2**31, None), (2**100, None)):
        marked = data.replace(
            b"<key>INIntentParameterName</key>", sizes % size + b"<key>INIntentParameterName</key>"
        )
        assert marked != data
        definitions = parse_definitions(marked, DefinitionContext(name)).definitions
        parameters = [parameter for row in definitions for parameter in row.parameters]
        assert expected_maximum in {parameter.count_maximum for parameter in parameters}
        assert all((p.count_maximum or 0) < 2**31 for p in parameters)
        unknown_values = {
            entry.value for row in definitions for entry in row.unknown if "ArraySize" in entry.path
        }
        assert any(str(size) in value for value in unknown_values)
