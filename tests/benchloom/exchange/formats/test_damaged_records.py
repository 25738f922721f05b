"""Check that invalid examples in a trainer's format are rejected with their line number."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.formats import FORMATS
from benchloom.storage.inputs import SourceObject
from benchloom.storage.inputs.objects import unreadable
from tests.benchloom.exchange.examples.sample import example
from tests.benchloom.exchange.formats.generated import export_objects, read
from tests.support.formats import reader, stored_object

DEEP = "[" * 600 + "]" * 600
DEEPER = '{"messages": ' + "[" * 100_000
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}


def chat_record(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"messages": list(messages), **more}


def call_message(**changes: Any) -> dict[str, Any]:
    """Return an assistant message with one tool call whose function has these changes."""
    function = {**CALL["function"], **changes}  # type: ignore[dict-item]  # damaged on purpose
    return {"role": "assistant", "content": None, "tool_calls": [{**CALL, "function": function}]}


USER = {
    "role": "user",
    "content": [{"type": "text", "text": "Do "}, {"type": "text", "text": "it"}],
}
GOOD = chat_record(USER, call_message())
BAD: list[tuple[object, str]] = [
    (b"{", "bad_json"),
    (DEEPER.encode(), "too_deep"),
    (b"3", "unexpected_shape"),
    (b'"\xff"', "bad_json"),
    ({"messages": 3}, "unexpected_shape"),
    ({"messages": [3]}, "unexpected_shape"),
    (chat_record(USER), "no_calls"),
    (chat_record(), "no_calls"),
    (chat_record({"role": "wizard", "content": "x"}), "unknown_role"),
    (chat_record({"role": "tool", "content": "x"}, call_message()), "stray_result"),
    (
        chat_record(call_message(), {"role": "tool", "content": "x", "tool_call_id": "other"}),
        "stray_result",
    ),
    (chat_record(USER, call_message(arguments="{")), "bad_json"),
    (chat_record(USER, call_message(arguments="[1]")), "unexpected_shape"),
    (chat_record(USER, call_message(arguments='{"a": ' + DEEP + "}")), "too_deep"),
    (chat_record(USER, call_message(), tools=3), "unexpected_shape"),
    (chat_record(USER, call_message(), tools="{"), "bad_json"),
    (chat_record(USER, call_message(), tools=[{"function": {}}]), "unexpected_shape"),
    (chat_record(USER, call_message(), tools=[json.loads(DEEP)]), "too_deep"),
]


def read_lines(data: bytes) -> list[object]:
    return list(reader("openai").read([stored_object("train.jsonl", data)]))


@pytest.mark.parametrize(("record", "reason"), BAD, ids=[str(n) for n in range(len(BAD))])
def test_invalid_line_is_rejected_and_the_next_is_read(record: object, reason: str) -> None:
    line = record if isinstance(record, bytes) else json.dumps(record).encode()
    records = read_lines(line + b"\n\n" + json.dumps(GOOD).encode())
    rejected = [row for row in records if isinstance(row, Rejected)]
    assert [(row.reason, row.source_uri) for row in rejected] == [(reason, "train.jsonl#1")]
    (good,) = [row for row in records if isinstance(row, Example)]
    assert good.request == "Do it"
    assert good.source_id == "3"
    assert good.calls[0].arguments[0].value == 1


def test_damaged_record_does_not_affect_others() -> None:
    good = json.dumps(GOOD).encode()
    bad = b'{"messages": "\xff"}'
    for data, count in (
        (good + b"\n" + bad + b"\n" + good, 2),
        (b"[" + good + b"," + bad + b"," + good + b"]", 2),
        (b"[" + good + b"," + good[:40], 1),
    ):
        records = read_lines(data)
        rejected = [(r.source_uri, r.reason) for r in records if isinstance(r, Rejected)]
        assert rejected == [("train.jsonl#2", "bad_json")]
        assert sum(isinstance(record, Example) for record in records) == count


def test_too_deep_result_stays_a_text() -> None:
    record = chat_record(
        USER, call_message(), {"role": "tool", "content": DEEP, "tool_call_id": "c"}
    )
    (good,) = read_lines(json.dumps(record).encode())
    assert isinstance(good, Example)
    assert good.calls[0].result is not None
    assert good.calls[0].result.output == DEEP


@pytest.mark.parametrize(
    "schema",
    [
        None,
        3,
        {"properties": 3},
        {"properties": {"a": 3}, "required": 3},
        {"properties": {"a": {"type": ["string", "null"], "enum": [1, "x", None]}}},
        {"properties": {"a": {"type": "array", "items": 3}}},
        {"properties": {"a": {"enum": []}}, "required": [3, "a"]},
        {"properties": {"a": {"type": "integer", "default": "x", "minimum": "low"}}},
        {"properties": {"a": {"oneOf": [{}], "minItems": -1}}},
    ],
)
def test_odd_tool_schema_is_read_and_written(schema: object) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": schema}}]
    records = read_lines(json.dumps(chat_record(USER, call_message(), tools=tools)).encode())
    assert not [record for record in records if isinstance(record, Rejected)]
    (example,) = [record for record in records if isinstance(record, Example)]
    member = FORMATS.find("openai")
    assert json.loads(member.line(example)[0])["tools"][0]["function"]["name"] == "f"  # type: ignore[attr-defined]  # only formats of lines are drawn


@pytest.mark.parametrize("name", ["openai", "trl", "hermes", "sharegpt", "adp", "bfcl"])
def test_unreadable_file_is_rejected(name: str) -> None:
    unreadable_objects = [
        SourceObject(uri, 1, unreadable("too_large", "too large"))
        for uri in ("possible_answer/a.json", "metadata.json", "train.jsonl")
    ]
    records = list(reader(name).read(unreadable_objects))
    assert records
    assert all(isinstance(record, Rejected) and record.reason == "too_large" for record in records)
    with pytest.raises(RejectedInputError):
        unreadable_objects[0].read()


def test_adp_is_read_despite_invalid_tools() -> None:
    action = {"class_": "api_action", "function": "f", "kwargs": {"a": 1}}
    files = {
        "metadata.json": {"custom_tools": ["{bad"]},
        "train.jsonl": {"id": "a", "content": [action]},
    }
    (example,) = reader("adp").read(
        [stored_object(uri, json.dumps(content).encode()) for uri, content in files.items()]
    )
    assert isinstance(example, Example)
    assert [call.api for call in example.calls] == ["f"]


@pytest.mark.parametrize("name", ["openai", "trl", "hermes", "sharegpt", "adp", "bfcl"])
def test_format_recognises_its_own_files(name: str, tmp_path: Path) -> None:
    objects, _ = export_objects(
        name, tmp_path / "e", msgspec.structs.replace(example(), request="Find")
    )
    member = reader(name)
    recognised_objects = [
        source_object
        for source_object in objects
        if member.recognises(source_object.source_uri, source_object.read()[:4096])
    ]
    beside = {source_object.source_uri for source_object in objects} - {
        source_object.source_uri for source_object in recognised_objects
    }
    assert beside <= {"dataset_info.json"}
    assert read(name, recognised_objects) == read(name, objects)
