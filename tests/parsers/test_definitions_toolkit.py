"""Check ToolKit databases of the versions v78, 26.1 and 15.4, empty databases, and their blobs."""

import sqlite3
import sys
from contextlib import closing

import pytest

from benchloom.core.records import ApiDefinition, Availability, Dependency, EnumValue
from parsers.definitions import DefinitionContext, ParsedDefinitions, parse_definitions
from parsers.definitions.toolkit.format import system_version
from parsers.definitions.toolkit.sqlite_tables import MAX_ROWS, MAX_VALUE_BYTES
from parsers.definitions.toolkit.types import read_instance
from parsers.definitions.toolkit.values import read_value
from parsers.definitions.toolkit.wire import Opaque, read_fields
from parsers.errors import ParseError
from tests.support.samples.definitions import (
    FLAVOUR,
    STRING,
    custom,
    double,
    field,
    instance,
    optional,
    primitive,
    toolkit_database,
)

CAKE = "org.example.bakery.BakeCakeIntent"


def parse(shape: str, name: str = "Tools-prod.v78-sample.sqlite") -> ParsedDefinitions:
    return parse_definitions(toolkit_database(shape), DefinitionContext(name))


def cake(shape: str) -> ApiDefinition:
    return next(d for d in parse(shape).definitions if d.api == CAKE)


def change_database(
    *statements: str, values: tuple[object, ...] = (), empty: bool = False
) -> bytes:
    """Return the sample database, or an empty one, after some statements."""
    with closing(sqlite3.connect(":memory:")) as connection:
        if not empty:
            connection.deserialize(toolkit_database())
        for statement in statements:
            connection.execute(statement, values)
        connection.commit()
        return connection.serialize()


@pytest.mark.parametrize("shape", ["v78", "26.1", "15.4"])
def test_every_tool_becomes_a_definition_without_opaque_fields(shape: str) -> None:
    parsed = parse(shape)
    assert len(parsed.definitions) == 4
    assert not any(definition.unknown for definition in parsed.definitions)
    visible = {d.api: d.discoverable for d in parsed.definitions}
    assert visible[CAKE]
    assert not visible["org.example.bakery.SecretIntent"]
    assert not visible["org.example.bakery.AssistantIntent"]
    sliced = next(d for d in parsed.definitions if d.api == "is.workflow.actions.cake.slice")
    assert sliced.deprecated


def test_parameters_keep_types_defaults_ranges_and_conditions() -> None:
    by_name = {p.name: p for p in cake("v78").parameters}
    assert list(by_name) == [
        "flavour", "weight", "iced", "message", "tags", "picture", "later", "either", "wait",
        "ShowWhenRun",
    ]  # fmt: skip
    assert (by_name["flavour"].type, by_name["flavour"].type_kind) == ("Flavour", "enum")
    assert by_name["flavour"].default == '"plum"'
    assert by_name["flavour"].enum_values[0] == EnumValue("plum", "Plum Cake (fr)")
    weight = by_name["weight"]
    assert (weight.default, weight.minimum, weight.maximum) == ("1.5", 0.5, 4.0)
    assert by_name["iced"].default == "false"
    assert by_name["iced"].depends_on == (Dependency("flavour", "!=", ('"plum"', '"pear"')),)
    assert by_name["message"].depends_on == (
        Dependency("iced", "==", ("true",)),
        Dependency("tags", "has_value"),
    )
    assert by_name["tags"].multiple
    assert by_name["picture"].file_types == ("public.image",)
    assert by_name["either"].type == "String | URL"
    assert by_name["later"].hidden
    assert by_name["later"].default is None
    assert {n.text for n in cake("v78").notes if n.kind == "run_time_default"} == {"later"}


def test_optional_is_known_for_app_intents_only() -> None:
    definitions = {d.api: d for d in parse("v78").definitions}
    by_name = {p.name: p.optional for p in definitions[CAKE].parameters}
    assert (by_name["message"], by_name["later"]) == (False, True)
    (slices,) = definitions["is.workflow.actions.cake.slice"].parameters
    assert slices.optional is None


def test_language_is_chosen_by_preference() -> None:
    assert cake("26.1").title == "Bake Cake (en)"
    assert cake("v78").title == "Bake Cake (fr)"  # no text in a preferred language
    titles = {p.name: p.title for p in cake("v78").parameters}
    assert (titles["iced"], titles["weight"], titles["tags"]) == ("Icing", "weight", "tags")


def test_model_texts_become_notes() -> None:
    notes = {note.kind: note.text for note in cake("26.1").notes}
    assert notes["model_name"] == "Bake a cake for the person"
    assert notes["model_descriptionSummary"] == "Use this to bake."


def test_app_comes_from_the_container_or_identifier() -> None:
    assert (cake("v78").app, cake("v78").app_version) == ("org.example.bakery", "3.1")
    placeholder = cake("26.1")
    assert placeholder.app == "org.example.bakery"
    assert "app_from_identifier" in placeholder.oddities


def test_requirements_become_availability() -> None:
    assert cake("v78").availability == (
        Availability("platform", "iPhone", "18.4"),
        Availability("capability", "camera=1"),
        Availability("feature_flag", "Oven/new_oven"),
        Availability("device_state", "1"),
    )


def test_older_schema_is_read_with_reported_problems() -> None:
    parsed = parse("15.4")
    assert {(p.reason, p.location) for p in parsed.problems} == {
        ("missing_column", table)
        for table in (
            "ToolParameterTypes",
            "Triggers",
            "ParameterLocalizations",
            "ToolLocalizations",
        )
    }
    sliced = next(d for d in parsed.definitions if d.api == "is.workflow.actions.cake.slice")
    assert sliced.parameters[0].type == "String"  # from the type id, since there is no blob
    assert cake("15.4").title == "Bake Cake (en)"


def test_empty_database_gives_no_definitions() -> None:
    parsed = parse("empty")
    assert parsed.definitions == ()
    assert [p.reason for p in parsed.problems] == ["empty_table"]


def test_unknown_fields_are_kept_and_counted() -> None:
    opaque = Opaque()
    type_instance = read_instance(STRING + field(9, b"\x01\x02"), "p", opaque)
    assert type_instance.type == "String"
    assert [(u.path, u.value) for u in opaque.fields] == [("p.9", "0102")]
    opaque = Opaque()
    assert read_instance(instance(primitive(99)), "p", opaque).type == "primitive.99"
    assert len(opaque.fields) == 1


def test_damaged_blob_costs_only_its_tool() -> None:
    data = change_database("UPDATE Parameters SET typeInstance = x'0aff' WHERE key = 'weight'")
    parsed = parse_definitions(data, DefinitionContext("Tools-a.sqlite"))
    assert [(p.location, p.reason) for p in parsed.problems] == [(CAKE, "bad_blob")]
    assert len(parsed.definitions) == 3


@pytest.mark.parametrize(
    "data",
    [b"\x0a\xff", b"\x0b", b"\x00\x00", b"\x09\x01", b"\xff" * 12, b"\x08"],
)
def test_malformed_wire_data_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        read_fields(data)


def test_nesting_bomb_is_refused() -> None:
    blob = STRING
    for _ in range(60):
        blob = optional(blob)
    with pytest.raises(ParseError, match="nest too deeply"):
        read_instance(blob, "p", Opaque())


def test_query_and_builtin_types_have_names() -> None:
    query = field(3, field(16, custom("org.example", "Cake")))
    assert read_instance(instance(query), "p", Opaque()).type == "Query<Cake>"
    assert read_instance(instance(field(3, field(1, 0))), "p", Opaque()).type == "App"


def test_views_and_other_databases_are_refused() -> None:
    data = change_database(
        "CREATE TABLE other (x)",
        "CREATE VIEW Tools AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n)"
        " SELECT id FROM n",
        empty=True,
    )
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("Tools-a.sqlite"))
    assert caught.value.reason == "not_a_definition"


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("a/toolkit-ios26.1.sqlite", "26.1"),
        ("Tools-prod.v78-XYZ.sqlite", "v78"),
        ("x.zip!macos_15.4.db", "15.4"),
        ("tools.sqlite", None),
    ],
)
def test_version_comes_from_the_file_name(name: str, version: str | None) -> None:
    assert system_version(name) == version


def test_table_without_row_ids_and_invalid_text_are_read() -> None:
    data = change_database(
        "CREATE TABLE Tools (id TEXT PRIMARY KEY, rowId INT, x) WITHOUT ROWID",
        "INSERT INTO Tools (id, rowId) VALUES (CAST(x'6f72672eff' AS TEXT), 1)",
        empty=True,
    )
    parsed = parse_definitions(data, DefinitionContext("Tools-a.sqlite"))
    assert [d.api for d in parsed.definitions] == ["org.�"]


def test_database_in_write_ahead_mode_is_read_and_reported() -> None:
    data = bytearray(toolkit_database())
    data[18:20] = b"\x02\x02"
    parsed = parse_definitions(bytes(data), DefinitionContext("Tools-a.sqlite"))
    assert len(parsed.definitions) == 4
    assert [p.reason for p in parsed.problems] == ["write_ahead_log"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (field(11, field(1, "ft") + double(2, 1000.0)), {"unit": "ft", "value": 1000.0}),
        (field(14, field(2, field(1, "Attic")) + field(3, 2)), {"name": "Attic"}),
        (
            field(17, field(1, "org.example.oven") + field(2, field(1, "Oven"))),
            {"bundle": "org.example.oven", "name": "Oven"},
        ),
        (field(3, (1 << 64) - 5), -5),
        (field(9, "https://example.org"), "https://example.org"),
    ],
)
def test_primitive_values_are_decoded(value: bytes, expected: object) -> None:
    opaque = Opaque()
    assert read_value(field(1, value), "p", opaque).value == expected
    assert opaque.fields == []


def test_entity_and_list_values_are_decoded() -> None:
    opaque = Opaque()
    entity = field(3, field(1, FLAVOUR) + field(2, "id-7") + field(4, field(1, "Plum")))
    assert read_value(entity, "p", opaque).value == {"id": "id-7", "title": "Plum"}
    texts = field(4, field(1, field(1, field(6, "a"))) + field(1, field(1, field(6, "b"))))
    assert read_value(texts, "p", opaque).value == ["a", "b"]
    assert read_value(field(1, field(40, "?")), "p", opaque).value is None
    assert len(opaque.fields) == 1


def test_range_without_an_end_has_no_maximum() -> None:
    endless = field(2, field(7, double(1, 1.0) + double(2, sys.float_info.max)))
    type_instance = read_instance(field(5, field(1, primitive(4)) + endless), "p", Opaque())
    assert (type_instance.minimum, type_instance.maximum) == (1.0, None)


@pytest.mark.parametrize(("flags", "visible"), [(0, False), (1, False), (4, False), (5, True)])
def test_visibility_needs_shortcuts_and_approval_flags(flags: int, *, visible: bool) -> None:
    data = change_database("UPDATE Tools SET visibilityFlags = ? WHERE rowId = 1", values=(flags,))
    parsed = parse_definitions(data, DefinitionContext("Tools-a.sqlite"))
    assert next(d for d in parsed.definitions if d.api == CAKE).discoverable is visible


_MANY_ROWS = """WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x <= ?)
    INSERT INTO SearchKeywords (toolId) SELECT x FROM n"""


@pytest.mark.parametrize(
    ("statement", "value", "reason"),
    [
        ("UPDATE Tools SET id = ?", "a" * (MAX_VALUE_BYTES + 1), "bad_database"),
        (_MANY_ROWS, MAX_ROWS, "too_many_nodes"),
    ],
    ids=["value", "rows"],
)
def test_oversized_database_is_refused(statement: str, value: object, reason: str) -> None:
    data = change_database(statement, values=(value,))
    with pytest.raises(ParseError) as caught:
        parse_definitions(data, DefinitionContext("Tools-large.sqlite"))
    assert caught.value.reason == reason
