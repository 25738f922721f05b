"""Every export format: one JSON line, always the same, which holds what the plan holds."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from benchloom.errors import RunError
from benchloom.formats import FORMATS, Format
from benchloom.formats.api_description import ApiDescription, ParameterDescription
from benchloom.records import StepArgument
from tests.benchloom.plans.sample import booking, plan, search

APIS = {
    "Bistros.Find": ApiDescription(
        "Bistros",
        "Find",
        "Look for bistros",
        (
            ParameterDescription("city", "Where", required=True),
            ParameterDescription("style", "How they cook", values=("Basque", "Tamil")),
        ),
        (ParameterDescription("name"), ParameterDescription("city")),
    ),
    "Bistros.Book": ApiDescription(
        "Bistros",
        "Book",
        "Book a table",
        (
            ParameterDescription("name", "Which", required=True),
            ParameterDescription("time", "When", default="19:00"),
        ),
        (ParameterDescription("name"), ParameterDescription("time")),
    ),
}
PATH = plan(search(), booking(), name="7_00001")
AWKWARD = 'O\'Hara, "Ltd" #k=v) \u2028 \n $var1.x$ = f('
EXPECTED: dict[str, Any] = {
    "appbench": {
        "dialogue_id": "7_00001",
        "split": "test",
        "category": "SM",
        "output": {
            "used_app": ["Bistros", "Bistros"],
            "used_api": [
                {"find": {"city": "Lomm", "style": "Basque"}},
                {"book": {"name": "Casa Ibarra"}},
            ],
            "result_arguments": [["name", "city"], ["name", "time"]],
            "api_results": [
                "name, city = find(#city='Lomm', #style='Basque')",
                "name, time = book(#name=name)",
            ],
            "middle_arguments": ["city", "name", "time"],
            "user_aware_arguments": {"city": "Lomm", "style": "Basque"},
        },
    },
    "nestful": {
        "sample_id": "7_00001",
        "input": "",
        "output": [
            {
                "name": "Bistros.Find",
                "arguments": {"city": "Lomm", "style": "Basque"},
                "label": "var1",
            },
            {"name": "Bistros.Book", "arguments": {"name": "$var1.name$"}, "label": "var2"},
            {"name": "var_result", "arguments": {"var2": "$var2$"}},
        ],
    },
}


def line(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FORMATS.find(name).write_line(PATH, APIS))
    return found


def test_unknown_formats_are_answered() -> None:
    with pytest.raises(RunError, match=r"known: api-bank, appbench, .*parquet"):
        FORMATS.find("word", also=("parquet",))


def gives_one_line_always_the_same(member: Format) -> None:
    written = member.write_line(PATH, APIS)
    assert b"\n" not in written
    assert written == member.write_line(PATH, APIS)
    assert isinstance(json.loads(written), dict)


def keeps_awkward_values(member: Format) -> None:
    step = msgspec.structs.replace(search(), arguments=(StepArgument("city", "literal", AWKWARD),))
    written = member.write_line(plan(step), APIS)
    assert b"\n" not in written
    assert AWKWARD in set(texts(json.loads(written)))


def writes_every_outcome(member: Format) -> None:
    for outcome in ("ok", "failed", "retried", "superseded"):
        json.loads(member.write_line(plan(search(outcome=outcome)), APIS))


SUITE = (gives_one_line_always_the_same, keeps_awkward_values, writes_every_outcome)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", FORMATS.names())
def test_contract(name: str, claim: Callable[[Format], None]) -> None:
    claim(FORMATS.find(name))


def texts(value: object) -> list[str]:
    """Every text inside a value; the text of JSON in a text as well."""
    if isinstance(value, dict):
        return [text for child in value.values() for text in texts(child)]
    if isinstance(value, list):
        return [text for child in value for text in texts(child)]
    if isinstance(value, str) and value.startswith("{"):
        return [value, *texts(json.loads(value))]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", EXPECTED)
def test_the_whole_record(name: str) -> None:
    assert line(name) == EXPECTED[name]


def test_nestful_v2_carries_the_tools() -> None:
    record = line("nestful-v2")
    assert record["output"] == [
        {
            "name": "Bistros.Find",
            "label": "$var_1",
            "arguments": {"city": "Lomm", "style": "Basque"},
        },
        {"name": "Bistros.Book", "label": "$var_2", "arguments": {"name": "$var_1.name$"}},
    ]
    assert [tool["name"] for tool in record["tools"]] == ["Bistros.Find", "Bistros.Book"]
    assert record["tools"][0]["parameters"]["city"]["required"] is True
    assert record["gold_answer"] is None


def test_api_bank_names_inputs_and_failures() -> None:
    record = line("api-bank")
    assert record["apis"][1]["input"] == {"name": "Casa Ibarra"}
    assert record["apis"][1]["output"]["exception"] is None
    failed = plan(search(outcome="failed"))
    written = json.loads(FORMATS.find("api-bank").write_line(failed, APIS))
    assert written["apis"][0]["output"]["exception"] == "no result"


def test_openai_tools_are_json_schema_functions() -> None:
    record = line("openai")
    find, book = (tool["function"] for tool in record["tools"])
    assert find["name"] == "Bistros__Find"
    assert find["parameters"]["required"] == ["city"]
    assert find["parameters"]["additionalProperties"] is False
    assert find["parameters"]["properties"]["style"]["enum"] == ["Basque", "Tamil"]
    assert book["parameters"]["properties"]["time"]["default"] == "19:00"
    calls = [call["function"] for call in record["tool_calls"]]
    assert [call["name"] for call in calls] == ["Bistros__Find", "Bistros__Book"]
    assert json.loads(calls[1]["arguments"]) == {"name": "$call_0.name"}
