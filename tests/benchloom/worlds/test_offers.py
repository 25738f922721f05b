"""Check that offered tools have names that chat interfaces accept and complete schemas."""

import jsonschema
import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.worlds import World
from benchloom.worlds.everyday import everyday
from benchloom.worlds.offers import offer_of
from benchloom.worlds.tool import schema_of
from tests.support.jars import JARS, NOW, SCHEMA


class Box(msgspec.Struct):
    title: str
    inside: "Box | None" = None
    size: int = 3


def test_offered_tools_have_names_that_chat_interfaces_accept() -> None:
    offer = offer_of(JARS)
    assert list(offer.tools) == ["jars__add_jar", "jars__list_jars", "jars__put_plum"]
    assert offer.tools["jars__list_jars"].tool == "jars.list_jars"
    assert [tool.reads for tool in offer.tools.values()] == [False, True, False]
    assert list(offer_of(JARS, ["jars.put_plum"]).tools) == ["jars__put_plum"]
    with pytest.raises(RunError, match=r"no tool 'jars\.fly'"):
        offer_of(JARS, ["jars.fly"])


def test_every_tool_of_the_everyday_world_can_be_offered() -> None:
    offer = offer_of(everyday())
    assert len(offer.tools) == len(everyday().tools)
    for tool in offer.tools.values():
        assert tool.arguments["type"] == "object"
        for schema in (tool.arguments, tool.result):
            assert "$ref" not in str(schema)
            jsonschema.Draft202012Validator.check_schema(schema)


def test_too_long_tool_name_is_refused() -> None:
    (tool, *_) = JARS.tools.values()
    tool = type(tool)("long" * 20, tool._function, reads=True)
    world = World("long", NOW, SCHEMA, lambda _: None, [tool])
    with pytest.raises(RunError, match="do not accept the tool name"):
        offer_of(world)


def test_offered_schemas_contain_no_references() -> None:
    schema = offer_of(JARS).tools["jars__add_jar"].arguments
    assert "$ref" not in str(schema)
    jsonschema.validate({"size": 1, "like": {"jar_id": "a", "size": 2.0}}, schema)
    for invalid_arguments in (
        {},
        {"size": 0},
        {"size": 1, "like": {"jar_id": 1}},
        {"size": 1, "lid": 1},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(invalid_arguments, schema)


def test_schema_of_a_recursive_type_contains_no_references() -> None:
    schema = schema_of(Box)
    assert "$ref" not in str(schema)
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["size"] == {"type": "integer", "default": 3}
    jsonschema.validate({"title": "a", "inside": {"title": "b", "inside": None}}, schema)
