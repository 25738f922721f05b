"""Every export format: one JSON line, always the same, which holds what the plan holds."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.errors import RunError
from benchloom.examples import Example
from benchloom.examples.findings import findings_of
from benchloom.formats import FORMATS, Format, LineFormat, Reading, Writing, WritingOptions
from benchloom.inputs import SourceObject
from benchloom.records import StepArgument
from tests.benchloom.examples.sample import example, example_for
from tests.benchloom.plans.sample import plan, search

AWKWARD = 'O\'Hara, "Ltd" #k=v) \u2028 \n $var1.x$ = f('
IN_TEXT = re.compile(r"^[{\[].*|(?<=<tool_call>\n).*(?=\n</tool_call>)")
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
    member = FORMATS.find(name)
    assert isinstance(member, LineFormat)
    found: dict[str, Any] = json.loads(member.line(example())[0])
    return found


def files(member: Writing, folder: Path, *examples: Example) -> dict[str, bytes]:
    """The files of an export of these examples."""
    folder.mkdir()
    writer = member.writer(folder, WritingOptions())
    for one in examples:
        for loss in writer.add(one):
            assert loss.kind in member.losses, f"{loss.kind} is explained nowhere"
    writer.close()
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_unknown_formats_are_answered() -> None:
    with pytest.raises(RunError, match=r"known: .*api-bank, .*appbench, .*parquet"):
        FORMATS.find("word", also=("parquet",))


def has_a_title(member: Format, folder: Path) -> None:  # noqa: ARG001
    assert member.title
    assert "\n" not in member.title


def writes_the_same_bytes_again(member: Format, folder: Path) -> None:
    if isinstance(member, Writing):
        first = files(member, folder / "a", example_for(member.tables))
        assert first == files(member, folder / "b", example_for(member.tables))
        assert all(first.values())


def keeps_awkward_values(member: Format, folder: Path) -> None:
    if isinstance(member, LineFormat):
        step = msgspec.structs.replace(
            search(), arguments=(StepArgument("city", "literal", AWKWARD),)
        )
        written = files(member, folder / "a", example(plan(step)))["test.jsonl"]
        assert written.count(b"\n") == 1
        assert AWKWARD in set(texts(json.loads(written)))


def writes_every_outcome(member: Format, folder: Path) -> None:
    if isinstance(member, Writing) and "planning_paths" in member.tables:
        bent = [
            msgspec.structs.replace(
                example(plan(search(outcome=outcome), name=outcome)), request="Find something"
            )
            for outcome in ("ok", "failed", "retried", "superseded")
        ]
        assert any(files(member, folder / "a", *bent).values())


WITHOUT_CALLS = msgspec.structs.replace(example(), request="Sing a song", calls=())
LEAVES_OUT = {"api-bank", "api-bank-train", "appbench", "nestful"}
"""Formats that have no place for tools which a request without calls offers."""


def keeps_a_request_whose_answer_is_no_call(member: Format, folder: Path) -> None:
    if not isinstance(member, Writing) or "planning_paths" not in member.tables:
        return
    written = files(member, folder / "a", WITHOUT_CALLS)
    name = next(key for key, one in FORMATS.all().items() if one is member)
    if name in LEAVES_OUT or not isinstance(member, Reading):
        return
    objects = [
        SourceObject(path, len(data), partial(bytes, data)) for path, data in written.items()
    ]
    (again,) = (row for row in member.read(objects) if isinstance(row, Example))
    assert (again.request, again.calls, again.turns) == ("Sing a song", (), ())
    assert {one.api.rpartition(".")[2] for one in again.definitions} == {"Find", "Book"}
    assert not findings_of(again, {})


SUITE = (
    has_a_title,
    writes_the_same_bytes_again,
    keeps_awkward_values,
    writes_every_outcome,
    keeps_a_request_whose_answer_is_no_call,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", FORMATS.names())
def test_contract(name: str, claim: Callable[[Format, Path], None], tmp_path: Path) -> None:
    claim(FORMATS.find(name), tmp_path)


def texts(value: object) -> list[str]:
    """Every text inside a value; the text of JSON in a text as well."""
    if isinstance(value, dict):
        return [text for child in value.values() for text in texts(child)]
    if isinstance(value, list):
        return [text for child in value for text in texts(child)]
    if isinstance(value, str) and (found := IN_TEXT.search(value)):
        return [value, *texts(json.loads(found[0]))]
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
    member = FORMATS.find("api-bank")
    assert isinstance(member, LineFormat)
    written = json.loads(member.line(example(plan(search(outcome="failed"))))[0])
    assert written["apis"][0]["output"]["exception"] == "no result"


def test_openai_tools_are_json_schema_functions() -> None:
    record = line("openai")
    book, find = (tool["function"] for tool in record["tools"])
    assert find["name"] == "Bistros__Find"
    assert find["parameters"]["required"] == ["city"]
    assert find["parameters"]["additionalProperties"] is False
    assert find["parameters"]["properties"]["style"]["enum"] == ["Basque", "Tamil"]
    assert book["parameters"]["properties"]["time"]["default"] == "19:00"
    calls = [call["function"] for call in record["messages"][-1]["tool_calls"]]
    assert [call["name"] for call in calls] == ["Bistros__Find", "Bistros__Book"]
    assert json.loads(calls[1]["arguments"]) == {"name": "$call_0.name$"}
