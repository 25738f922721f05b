"""Fields inside objects: a tool has them again after a definition was read and released."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.inner_schemas import valid_schema
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignTool,
    example_of_messages,
)

PLACE = ExampleOrigin("sample", "a.json", "1")
CREW = {
    "type": "object",
    "properties": {
        "mate": {"type": "string", "enum": ["Ada", "Bo"]},
        "ports": {"type": "array", "items": {"type": "object", "properties": {"at": {}}}},
    },
    "required": ["mate"],
}


def told(properties: dict[str, Any], **given: Any) -> dict[str, Any]:
    """The properties of the tool that is written after a call was read."""
    tool = ForeignTool("sail", "", {"type": "object", "properties": properties})
    example = example_of_messages(PLACE, [ForeignCalls((ForeignCall("sail", given),))], (tool,))
    (written,) = render_example(example).tools
    Draft202012Validator.check_schema(written.parameters)
    written_properties: dict[str, Any] = json.loads(json.dumps(written.parameters["properties"]))
    return written_properties


def test_fields_of_objects_and_of_objects_in_lists_come_back() -> None:
    crew = {"mate": "Ada"}
    properties = told(
        {"crew": CREW, "crews": {"type": "array", "items": CREW}}, crew=crew, crews=[crew]
    )
    assert properties["crew"] == CREW
    assert properties["crews"] == {"type": "array", "items": CREW}


def test_a_value_that_does_not_fit_its_fields_widens_the_tool() -> None:
    assert told({"crew": CREW}, crew={"ports": []})["crew"] == {}


@pytest.mark.parametrize("inner", [3, [], {"a": 3}, {"a": {"type": "wizard", "minimum": "low"}}])
def test_what_is_no_schema_is_left_out(inner: Any) -> None:
    properties = told(
        {"crew": {"type": "object", "properties": inner, "required": [3]}}, crew={"a": 1}
    )
    assert properties["crew"]["type"] == "object"
    assert valid_schema({"properties": inner}).get("properties", {}) in ({}, {"a": {}})


def test_fields_that_are_too_many_to_note_are_left_out() -> None:
    many = {f"field {n}": {"type": "string"} for n in range(500)}
    assert told({"crew": {"type": "object", "properties": many}}, crew={})["crew"] == {
        "type": "object"
    }
