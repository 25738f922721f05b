"""Check that schemas of fields inside objects survive the conversion to a definition and back."""

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

ORIGIN = ExampleOrigin("sample", "a.json", "1")
CREW = {
    "type": "object",
    "properties": {
        "mate": {"type": "string", "enum": ["Ada", "Bo"]},
        "ports": {"type": "array", "items": {"type": "object", "properties": {"at": {}}}},
    },
    "required": ["mate"],
}


def written_properties_of(properties: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    """Return the properties of the tool that is written for an example with one call."""
    tool = ForeignTool("sail", "", {"type": "object", "properties": properties})
    example = example_of_messages(
        ORIGIN, [ForeignCalls((ForeignCall("sail", arguments),))], (tool,)
    )
    (written,) = render_example(example).tools
    Draft202012Validator.check_schema(written.parameters)
    written_properties: dict[str, Any] = json.loads(json.dumps(written.parameters["properties"]))
    return written_properties


def test_object_fields_survive_the_conversion() -> None:
    crew = {"mate": "Ada"}
    properties = written_properties_of(
        {"crew": CREW, "crews": {"type": "array", "items": CREW}}, crew=crew, crews=[crew]
    )
    assert properties["crew"] == CREW
    assert properties["crews"] == {"type": "array", "items": CREW}


def test_misfit_value_widens_the_schema() -> None:
    assert written_properties_of({"crew": CREW}, crew={"ports": []})["crew"] == {}


@pytest.mark.parametrize("inner", [3, [], {"a": 3}, {"a": {"type": "wizard", "minimum": "low"}}])
def test_invalid_inner_schema_is_left_out(inner: Any) -> None:
    properties = written_properties_of(
        {"crew": {"type": "object", "properties": inner, "required": [3]}}, crew={"a": 1}
    )
    assert properties["crew"]["type"] == "object"
    assert valid_schema({"properties": inner}).get("properties", {}) in ({}, {"a": {}})


def test_too_many_fields_are_left_out() -> None:
    many = {f"field {n}": {"type": "string"} for n in range(500)}
    assert written_properties_of({"crew": {"type": "object", "properties": many}}, crew={})[
        "crew"
    ] == {"type": "object"}
