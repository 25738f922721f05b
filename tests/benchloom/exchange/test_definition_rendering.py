"""Tests of API definitions rendered as JSON Schema."""

import pytest
from jsonschema import Draft202012Validator

from benchloom.core.records import (
    ApiDefinition,
    Dependency,
    EnumValue,
    Note,
    Parameter,
    Return,
    Summary,
)
from benchloom.exchange.definition_schema import definition_schema, parameter_schema

MODE = Parameter(
    name="mode",
    type="Mode",
    type_kind="enum",
    title="Mode",
    default='"fast"',
    enum_values=(EnumValue("fast", "Fast"), EnumValue("slow", "Slowly")),
)
SPEED = Parameter(
    name="speed",
    type="Number",
    type_kind="primitive",
    description="How fast",
    optional=False,
    depends_on=(Dependency("mode", "!=", ('"slow"',)),),
    minimum=0,
    maximum=1.5,
    unit="m/s",
)
FILES = Parameter(
    name="files",
    type="File",
    type_kind="file",
    multiple=True,
    optional=False,
    file_types=("public.image",),
    count_minimum=1,
    count_maximum=3,
)
WEIGHT = Parameter(name="weight", type="Mass", type_kind="measurement", optional=True, minimum=0)
ITEMS = Parameter(name="rows", type="Array<String>", type_kind="array", multiple=True)
CARD = Parameter(name="card", type="CardEntity", type_kind="entity")
OFF = Parameter(name="off", type="Boolean", type_kind="primitive", default="false")
DEFINITION = ApiDefinition(
    definition_id="api:test:1",
    api="org.example.post.SendIntent",
    app="org.example.post",
    source_kind="appintents",
    title="Send",
    description="Sends a parcel",
    parameters=(MODE, SPEED, FILES, WEIGHT, ITEMS, CARD, OFF),
    returns=(Return("Parcel", "ParcelEntity", "entity", multiple=True),),
    summaries=(
        Summary("Send ${files}", ("files",), (Dependency("mode", "==", ('"fast"',)),)),
        Summary("Send"),
    ),
    notes=(Note("result", "The parcel"), Note("model_name", "not shown")),
    deprecated=True,
    replaced_by="org.example.post.ShipIntent",
    source_uri="x",
    source_digest="file:x",
)


def test_schema_validates_calls() -> None:
    schema = definition_schema(DEFINITION)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    good = {"mode": "fast", "speed": 1, "files": ["a.png"], "weight": {"value": 2, "unit": "kg"}}
    assert validator.is_valid(good)
    assert validator.is_valid({"mode": "slow", "files": ["a.png"]})
    changes: list[dict[str, object]] = [
        {"mode": "warp"},
        {"speed": 2},
        {"files": []},
        {"files": "a.png"},
        {"weight": {"value": -1}},
        {"unheard": 1},
        {"off": "no"},
    ]
    for change in changes:
        assert not validator.is_valid({**good, **change}), change
    assert not validator.is_valid({"mode": "fast", "files": ["a.png"]}), "speed is demanded"
    assert not validator.is_valid({"mode": "slow"}), "files are demanded"


def test_falsy_default_is_in_the_schema() -> None:
    assert parameter_schema(OFF)["default"] is False


def test_default_outside_the_enum_is_described_in_words() -> None:
    seats = Parameter("seats", "string", "enum", default='"any"', enum_values=(EnumValue("1"),))
    assert parameter_schema(seats) == {
        "type": "string",
        "enum": ["1"],
        "description": 'Without it: "any".',
    }


@pytest.mark.parametrize(
    ("parameter", "schema"),
    [
        (
            Parameter("a", "String", "primitive", multiple=True),
            {"type": "array", "items": {"type": "string"}},
        ),
        (Parameter("a", "Unheard", "object"), {"description": "a Unheard"}),
        (Parameter("a", "string", "primitive"), {"type": "string"}),
        (Parameter("a", "int", "primitive", minimum=1), {"type": "integer", "minimum": 1}),
        (
            Parameter("a", "String", "primitive", multiple=True, default='"x"'),
            {"type": "array", "items": {"type": "string"}, "default": ["x"]},
        ),
        (
            Parameter("a", "Integer", "enum", enum_values=(EnumValue("-1"), EnumValue("٣"))),
            {"enum": [-1, "٣"]},
        ),
        (
            Parameter("a", "Integer", "enum", enum_values=(EnumValue("1"), EnumValue("x"))),
            {"enum": [1, "x"]},
        ),
        (
            Parameter("a", "Kind", "enum"),
            {"type": "string", "description": "one of the cases of Kind"},
        ),
    ],
)
def test_schema_of_each_parameter(parameter: Parameter, schema: dict[str, object]) -> None:
    assert parameter_schema(parameter) == schema
