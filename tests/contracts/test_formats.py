"""Check every exchange format: valid lines, equal bytes on every run, no lost values."""

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
from tests.benchloom.exchange.formats.damaged_values import damaged_records
from tests.benchloom.exchange.formats.foreign_samples import sample_objects
from tests.benchloom.normalise.plans.sample import plan, search
from tests.support.folders import contents
from tests.support.formats import export, stored_object

SPECIAL_CHARACTERS = 'O\'Hara, "Ltd" #k=v) \u2028 \n $var1.x$ = f('
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


def line_record(name: str) -> dict[str, Any]:
    member = FORMATS.find(name)
    assert isinstance(member, LineFormat)
    record: dict[str, Any] = json.loads(member.line(example())[0])
    return record


def export_files(member: Writing, folder: Path, *examples: Example) -> dict[str, bytes]:
    """Export examples and return the files by path."""
    export(name_of(member), folder, *examples)
    return contents(folder)


def test_unknown_format_lists_the_known_formats() -> None:
    with pytest.raises(RunError, match=r"known: .*api-bank, .*appbench, .*parquet"):
        FORMATS.find("word", also=("parquet",))


def has_a_title(member: Format, folder: Path) -> None:  # noqa: ARG001  all rules have the same parameters
    assert member.title
    assert "\n" not in member.title


def writes_equal_bytes_on_every_run(member: Format, folder: Path) -> None:
    if isinstance(member, Writing):
        first = export_files(member, folder / "a", example_for(member.tables))
        assert first == export_files(member, folder / "b", example_for(member.tables))
        assert all(first.values())


def keeps_values_with_special_characters(member: Format, folder: Path) -> None:
    if isinstance(member, LineFormat):
        step = msgspec.structs.replace(
            search(), arguments=(StepArgument("city", "literal", SPECIAL_CHARACTERS),)
        )
        exported_line = export_files(member, folder / "a", example(plan(step)))["test.jsonl"]
        assert exported_line.count(b"\n") == 1
        assert SPECIAL_CHARACTERS in set(texts_in(json.loads(exported_line)))


def writes_steps_of_every_outcome(member: Format, folder: Path) -> None:
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
        assert any(export_files(member, folder / "a", *bent).values())


def name_of(member: Format) -> str:
    return next(
        key for key, registered_format in FORMATS.all().items() if registered_format is member
    )


WITHOUT_CALLS = msgspec.structs.replace(example(), request="Sing a song", calls=())
NEED_CALLS = {"api-bank", "api-bank-train", "appbench", "nestful"}
"""Formats that cannot represent the tools of a request without calls."""


def keeps_requests_without_calls(member: Format, folder: Path) -> None:
    if not isinstance(member, Writing) or "planning_paths" not in member.tables:
        return
    exported_files = export_files(member, folder / "a", WITHOUT_CALLS)
    name = name_of(member)
    if name in NEED_CALLS or not isinstance(member, Reading):
        return
    objects = [stored_object(path, data) for path, data in exported_files.items()]
    (imported_example,) = (row for row in member.read(objects) if isinstance(row, Example))
    assert (imported_example.request, imported_example.calls, imported_example.turns) == (
        "Sing a song",
        (),
        (),
    )
    assert {definition.api.rpartition(".")[2] for definition in imported_example.definitions} == {
        "Find",
        "Book",
    }
    assert not findings_of(imported_example, {})


def is_recognised_by_no_other_format(member: Format, folder: Path) -> None:
    """Check that no other format recognises this sample; users learn of a wrong format by that."""
    if not isinstance(member, Reading):
        return
    name = name_of(member)
    readers = FORMATS.only(Reading)
    for file in sample_objects(name, folder / "a"):
        head = file.read()[:4096]
        takers = {
            key for key, reader in readers.items() if reader.recognises(file.source_uri, head)
        }
        is_beside = PurePosixPath(file.source_uri).name in METADATA_FILES and not takers
        assert is_beside or takers == SHARED_SAMPLES.get(name, {name}), file.source_uri


def rejects_damaged_records_alone(member: Format, folder: Path) -> None:
    """Check that a damaged field costs only its own record, which is read or rejected."""
    if not isinstance(member, Reading):
        return
    files = sample_objects(name_of(member), folder / "a")
    for file in files:
        if not file.source_uri.endswith((".jsonl", ".json")):
            continue
        # Of two answers with the same id, the first counts.
        has_answers = "possible_answer/" in file.source_uri
        other_files = [other_file for other_file in files if other_file is not file]
        intact_records = split_records(file.read())
        expected = count_examples(member, [*other_files, replace_records(file, intact_records)])
        for record in intact_records:
            for damaged in damaged_records(json.loads(record)):
                example_count = count_examples(
                    member, [*other_files, replace_records(file, [damaged, *intact_records])]
                )
                assert example_count >= expected or has_answers or file.source_uri in TOOL_FILES


def count_examples(member: Reading, files: Sequence[SourceObject]) -> int:
    """Read and judge the examples of files as an import does, and return their number."""
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


def replace_records(file: SourceObject, records: Sequence[bytes]) -> SourceObject:
    """Return a file with other records, one per line."""
    return stored_object(file.source_uri, b"\n".join(records))


def split_records(data: bytes) -> list[bytes]:
    """Return the lines of a file of lines, or the one JSON value that a file contains."""
    try:
        return [json.dumps(json.loads(data)).encode()]
    except ValueError:
        return [line for line in data.splitlines() if line.strip()]


METADATA_FILES = {"dataset_info.json", "metadata.json"}
"""Files that are read together with the files of records."""
TOOL_FILES = {"spec.json", "metadata.json"}
"""Files that define tools; without them, examples have no definitions."""
SHARED_SAMPLES = {"api-bank-train": {"api-bank", "api-bank-train"}}
"""Formats whose samples another format recognises as well."""
SUITE = (
    has_a_title,
    writes_equal_bytes_on_every_run,
    keeps_values_with_special_characters,
    writes_steps_of_every_outcome,
    keeps_requests_without_calls,
    is_recognised_by_no_other_format,
    rejects_damaged_records_alone,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", FORMATS.names())
def test_contract(name: str, claim: Callable[[Format, Path], None], tmp_path: Path) -> None:
    claim(FORMATS.find(name), tmp_path)


def texts_in(value: object) -> list[str]:
    """Return every text inside a value, including texts inside embedded JSON."""
    if isinstance(value, dict):
        return [text for child in value.values() for text in texts_in(child)]
    if isinstance(value, list):
        return [text for child in value for text in texts_in(child)]
    if isinstance(value, str) and (json_match := IN_TEXT.search(value)):
        return [value, *texts_in(json.loads(json_match[0]))]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", EXPECTED)
def test_line_format_writes_the_expected_record(name: str) -> None:
    assert line_record(name) == EXPECTED[name]


def test_nestful_v2_record_contains_tool_definitions() -> None:
    record = line_record("nestful-v2")
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


def test_api_bank_record_contains_inputs_and_failures() -> None:
    record = line_record("api-bank")
    assert record["apis"][1]["input"] == {"name": "Casa Ibarra"}
    assert record["apis"][1]["output"]["exception"] is None
    member = FORMATS.find("api-bank")
    assert isinstance(member, LineFormat)
    failed_record = json.loads(member.line(example(plan(search(outcome="failed"))))[0])
    assert failed_record["apis"][0]["output"]["exception"] == "no result"


def test_openai_tools_are_json_schema_functions() -> None:
    record = line_record("openai")
    book, find = (tool["function"] for tool in record["tools"])
    assert find["name"] == "Bistros__Find"
    assert find["parameters"]["required"] == ["city"]
    assert find["parameters"]["additionalProperties"] is False
    assert find["parameters"]["properties"]["style"]["enum"] == ["Basque", "Tamil"]
    assert book["parameters"]["properties"]["time"]["default"] == "19:00"
    calls = [call["function"] for call in record["messages"][-1]["tool_calls"]]
    assert [call["name"] for call in calls] == ["Bistros__Find", "Bistros__Book"]
    assert json.loads(calls[1]["arguments"]) == {"name": "$call_0.name$"}
