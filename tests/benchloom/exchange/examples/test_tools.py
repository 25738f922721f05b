"""Tests of tools written from definitions: names, descriptions and schemas."""

import msgspec
import pytest
from jsonschema import Draft202012Validator

from benchloom.core.errors import RunError
from benchloom.exchange.examples.tools import (
    LONGEST_NAME,
    app_and_api,
    function_name,
    names_of,
    tool_of,
)
from tests.benchloom.exchange.examples.sample import BOOK, FIND


@pytest.mark.parametrize(
    ("app", "api", "name"),
    [
        ("Bistros", "Find", "Bistros__Find"),
        (None, "Find", "Find"),
        ("", "Find", "Find"),
        ("Bistros_1", "Bistros_1_Find", "Bistros_1__Find"),
        ("org.example", "org.example.find", "org_example__find"),
        ("a", "a_", "a__a_"),
        ("org.example", "find it", "org_example__find_it"),
        ("a", "b" * 61, f"a__{'b' * 61}"),
    ],
)
def test_function_name_joins_app_and_api(app: str | None, api: str, name: str) -> None:
    assert function_name(app, api) == name


def test_shortened_or_changed_names_stay_different() -> None:
    long = {function_name("x" * 80, letter) for letter in "ab"}
    assert len(long) == 2
    assert {len(name) for name in long} == {LONGEST_NAME}
    alike = names_of([("a", "b.c", "1"), ("a", "b_c", "2"), ("a", "b c", "3")])
    assert len(set(alike)) == 3
    assert alike[0] == "a__b_c"
    assert function_name(None, "") != ""
    with pytest.raises(RunError, match="two tools"):
        names_of([("a", "b", "1"), ("a", "b", "1"), ("a", "b", "1")])


@pytest.mark.parametrize("name", ["Bistros__Find", "Find", "a__b__c", "__b", "a__", "_"])
def test_function_name_survives_splitting(name: str) -> None:
    app, api = app_and_api(name)
    assert function_name(app, api) == name


def test_tool_has_outputs_and_required_parameters() -> None:
    tool = tool_of(msgspec.structs.replace(FIND, title="Find."), "f")
    assert tool.description == 'Find. Find of Bistros\nReturns: ["name","city"]'
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where"},
            "style": {
                "type": "string",
                "enum": ["Basque", "Tamil"],
                "description": "How they cook",
            },
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    Draft202012Validator.check_schema(tool.parameters)
    assert tool_of(BOOK, "f").parameters["required"] == ["name"]
