"""Every export format: one JSON line, always the same, which holds what the plan holds."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, StepArgument
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import render_example
from benchloom.exchange.examples.example import RejectedText
from benchloom.exchange.examples.findings import findings_of
from benchloom.exchange.formats import FORMATS, Format, LineFormat, Reading, Writing
from benchloom.normalise.plans.gate import ApiShape, shape_of
from benchloom.storage.inputs import SourceObject
from tests.benchloom.exchange.examples.sample import example, example_for
from tests.benchloom.exchange.formats.damaged_values import damages
from tests.benchloom.exchange.formats.foreign_samples import sample_objects
from tests.benchloom.normalise.plans.sample import plan, search
from tests.support.folders import contents
from tests.support.formats import export, stored_object

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
    record: dict[str, Any] = json.loads(member.line(example())[0])
    return record


def files(member: Writing, folder: Path, *examples: Example) -> dict[str, bytes]:
    """The files of an export of these examples."""
    export(name_of(member), folder, *examples)
    return contents(folder)


def test_unknown_formats_are_answered() -> None:
    with pytest.raises(RunError, match=r"known: .*api-bank, .*appbench, .*parquet"):
        FORMATS.find("word", also=("parquet",))


def has_a_title(member: Format, folder: Path) -> None:  # noqa: ARG001  all rules have the same parameters
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
                example(plan(search(outcome=outcome), name=outcome)),
                request="Find something",
                rejected=RejectedText("worse", "Do it", ("vague",)),
                example_id=outcome,
            )
            for outcome in ("ok", "failed", "retried", "superseded")
        ]
        assert any(files(member, folder / "a", *bent).values())


def name_of(member: Format) -> str:
    return next(
        key for key, registered_format in FORMATS.all().items() if registered_format is member
    )


WITHOUT_CALLS = msgspec.structs.replace(example(), request="Sing a song", calls=())
LEAVES_OUT = {"api-bank", "api-bank-train", "appbench", "nestful"}
"""Formats that have no place for tools which a request without calls offers."""


def keeps_a_request_whose_answer_is_no_call(member: Format, folder: Path) -> None:
    if not isinstance(member, Writing) or "planning_paths" not in member.tables:
        return
    written = files(member, folder / "a", WITHOUT_CALLS)
    name = name_of(member)
    if name in LEAVES_OUT or not isinstance(member, Reading):
        return
    objects = [stored_object(path, data) for path, data in written.items()]
    (again,) = (row for row in member.read(objects) if isinstance(row, Example))
    assert (again.request, again.calls, again.turns) == ("Sing a song", (), ())
    assert {definition.api.rpartition(".")[2] for definition in again.definitions} == {
        "Find",
        "Book",
    }
    assert not findings_of(again, {})


def is_recognised_by_itself_alone(member: Format, folder: Path) -> None:
    """A sample of the format is taken for no other one, so that a wrong name can be answered."""
    if not isinstance(member, Reading):
        return
    name = name_of(member)
    readers = FORMATS.only(Reading)
    for file in sample_objects(name, folder / "a"):
        head = file.read()[:4096]
        takers = {
            key for key, reader in readers.items() if reader.recognises(file.source_uri, head)
        }
        is_beside = PurePosixPath(file.source_uri).name in BESIDE and not takers
        assert is_beside or takers == ALIKE.get(name, {name}), file.source_uri


def leaves_out_what_is_damaged(member: Format, folder: Path) -> None:
    """Whatever a field holds: its record is rejected or read, and the records beside it are."""
    if not isinstance(member, Reading):
        return
    files = sample_objects(name_of(member), folder / "a")
    for file in files:
        if not file.source_uri.endswith((".jsonl", ".json")):
            continue
        has_answers = "possible_answer/" in file.source_uri  # the first of two of one id counts
        others = [other_file for other_file in files if other_file is not file]
        sound = whole_records(file.read())
        expected = examples_in(member, [*others, changed(file, sound)])
        for record in sound:
            for damaged in damages(json.loads(record)):
                example_count = examples_in(member, [*others, changed(file, [damaged, *sound])])
                assert (
                    example_count >= expected or has_answers or file.source_uri in HOLDS_EVERY_TOOL
                )


def examples_in(member: Reading, files: Sequence[SourceObject]) -> int:
    """How many examples are read; each is judged, as an import does."""
    shapes: dict[str, ApiShape] = {}
    example_count = 0
    for row in member.read(files):
        if isinstance(row, ApiDefinition):
            shapes[row.definition_id] = shape_of(row)
        elif isinstance(row, Example):
            example_count += 1
            findings_of(row, shapes)
            render_example(row)
    return example_count


def changed(file: SourceObject, records: Sequence[bytes]) -> SourceObject:
    """The file with other records, one in a line."""
    return stored_object(file.source_uri, b"\n".join(records))


def whole_records(data: bytes) -> list[bytes]:
    """The records of a file of lines, or the one value that a file is."""
    try:
        return [json.dumps(json.loads(data)).encode()]
    except ValueError:
        return [line for line in data.splitlines() if line.strip()]


BESIDE = {"dataset_info.json", "metadata.json"}
"""Files beside those of records, which are read with them."""
HOLDS_EVERY_TOOL = {"spec.json", "metadata.json"}
"""Files of tools: without them, examples are read without definitions."""
ALIKE = {"api-bank-train": {"api-bank", "api-bank-train"}}
"""Samples that another format reads as well."""
SUITE = (
    has_a_title,
    writes_the_same_bytes_again,
    keeps_awkward_values,
    writes_every_outcome,
    keeps_a_request_whose_answer_is_no_call,
    is_recognised_by_itself_alone,
    leaves_out_what_is_damaged,
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
    if isinstance(value, str) and (json_match := IN_TEXT.search(value)):
        return [value, *texts(json.loads(json_match[0]))]
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
