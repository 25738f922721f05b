"""Tests of foreign tool specifications: they are converted to definitions and back."""

import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.api_definition import EnumValue
from benchloom.exchange.foreign.specifications import (
    call_name,
    definition_name,
    definition_of,
    split_name,
    tool_of,
)
from tests.benchloom.exchange.examples.sample import FIND
from tests.benchloom.exchange.foreign.sample import TOOLS


def test_definitions_from_both_shapes_of_tools() -> None:
    find, book = (definition_of(tool, "nestful", "spec.json") for tool in TOOLS)
    assert (find.app, find.api) == ("Ferries", "Ferries.Find")
    assert [
        (parameter.name, parameter.type_kind, parameter.optional) for parameter in find.parameters
    ] == [
        ("from", "primitive", False),
        ("to", "primitive", False),
        ("deck", "enum", None),
    ]
    assert find.parameters[2].enum_values == (EnumValue("sun"), EnumValue("car"))
    assert find.parameters[2].default == '"sun"'
    names = [output.name for output in find.returns]
    assert names == ["ferry_id", "port", "port.name", "stops", "stops.id"]
    assert [(field.path, field.value) for field in find.unknown] == [("host", "ferries.example")]
    assert [(parameter.name, parameter.optional) for parameter in book.parameters] == [
        ("ferry", False),
        ("seats", True),
    ]


def test_field_given_as_a_type_name_is_read() -> None:
    output = {"stops": {"type": "array", "properties": {"id": "integer"}}}
    tool = definition_of({"name": "Find", "output_parameters": output}, "nestful", "spec.json")  # type: ignore[dict-item]  # damaged on purpose
    assert [(output.name, output.type) for output in tool.returns] == [
        ("stops", "array"),
        ("stops.id", "integer"),
    ]
    assert tool.unknown == ()


@pytest.mark.parametrize("tool", TOOLS)
def test_written_tool_reads_as_the_same_definition(tool: dict[str, object]) -> None:
    first = definition_of(tool, "nestful", "spec.json")  # type: ignore[arg-type]  # damaged on purpose
    assert definition_of(tool_of(first), "nestful", "other.json").definition_id == (
        first.definition_id
    )


def test_names_are_split_into_app_and_api() -> None:
    assert split_name("Ferries.Find") == ("Ferries", "Find")
    assert split_name("find") == ("", "find")
    assert split_name(".find") == ("", ".find")
    assert call_name(*split_name("a.b.c")) == "a.b.c"
    assert definition_name(FIND) == "Bistros.Find"


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ({"parameters": {}}, "no_name"),
        ({"name": " "}, "no_name"),
        ({"name": "a", "parameters": [1]}, "wrong_shape"),
    ],
)
def test_invalid_tool_is_rejected(tool: dict[str, object], reason: str) -> None:
    with pytest.raises(RejectedInputError) as caught:
        definition_of(tool, "nestful", "spec.json")  # type: ignore[arg-type]  # damaged on purpose
    assert caught.value.reason == reason
