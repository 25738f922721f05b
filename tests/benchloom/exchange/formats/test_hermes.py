"""Tests of Hermes conversations as published: mentioned tags, Python literals and odd calls."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import render_example
from flows.stages.imports import ImportOptions
from tests.support.formats import reader, stored_object
from tests.support.shared_data import shared_file
from tests.support.stages import import_set

TAG_MENTIONS = (
    "Signatures stand within <tools> </tools> tags. Put calls into <tool_call></tool_call>."
)
TOOL = {"name": "sail", "description": "Sails.", "parameters": {"type": "object", "properties": {
    "to": {"type": "string"}, "fast": {"type": "boolean"}, "by": {"type": "array"}}}}  # fmt: skip
SAIL_ARGUMENTS = {"to": "Lomm", "fast": True, "by": [None, 1.5]}
CALL = {"name": "sail", "arguments": SAIL_ARGUMENTS}
PYTHON_CALL = str(CALL)


def conversation(system: str, *calls: str, answer: str = "") -> dict[str, Any]:
    messages = [("system", system), ("human", "Sail."), ("gpt", "\n".join(calls))]
    messages += [("tool", answer)] if answer else []
    return {"id": "a", "conversations": [{"from": role, "value": text} for role, text in messages]}


def read(*records: object) -> list[Example | Rejected]:
    data = "\n".join(map(json.dumps, records)).encode()
    rows = reader("hermes").read([stored_object("a.jsonl", data)])
    return [row for row in rows if not isinstance(row, ApiDefinition)]


def system_text(tools: str) -> str:
    return (
        f"{TAG_MENTIONS}\n<tools>\n{tools}\n</tools>\n<tool_call>\n{{'name': <name>}}\n</tool_call>"
    )


TOOLS = {
    "json": system_text(json.dumps([{"type": "function", "function": TOOL}])),
    "python": system_text(str([{"type": "function", "function": TOOL}])),
    "lines": system_text(json.dumps(TOOL) + "\n" + json.dumps({**TOOL, "name": "row"})),
    "python lines": system_text(str(TOOL) + "\n" + str({**TOOL, "name": "row"})),
    "one tag is mentioned": "Look at <tools> below. " + system_text(str([TOOL])),
}
CALL_WITH_PARAMETERS = {"name": "sail", "parameters": SAIL_ARGUMENTS}
CALL_WITH_TEXT_ARGUMENTS = {"name": "sail", "arguments": json.dumps(SAIL_ARGUMENTS)}
CALLS = {
    "json": f"<tool_call>\n{json.dumps(CALL)}\n</tool_call>",
    "python": f"<tool_call>\n{PYTHON_CALL}\n</tool_call>",
    "words of json": "<tool_call>{'name': 'sail', 'arguments': {'to': 'Lomm', 'fast': true,"
    " 'by': [null, 1.5]}}</tool_call>",
    "arguments in a text": f"<tool_call>{CALL_WITH_TEXT_ARGUMENTS}</tool_call>",
    "parameters": f"<tool_call>{json.dumps(CALL_WITH_PARAMETERS)}</tool_call>",
    "a list": f"<tool_call>[{PYTHON_CALL}]</tool_call>",
    "never closed": f"<tool_call>\n{PYTHON_CALL}",
    "fenced": f"<tool_call>\n```json\n{json.dumps(CALL)}\n```\n</tool_call>",
}


@pytest.mark.parametrize("system", TOOLS.values(), ids=TOOLS)
def test_tools_are_read_and_mentioned_tags_ignored(system: str) -> None:
    (example,) = read(conversation(system, CALLS["python"]))
    assert isinstance(example, Example)
    assert {definition.api for definition in example.definitions} >= {"sail"}
    assert example.calls[0].definition_id
    assert example.request == "Sail."


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_call_is_read_in_every_form(call: str) -> None:
    (example,) = read(conversation(TOOLS["python"], "I sail.", call))
    assert isinstance(example, Example)
    assert [
        (tool_call.name, tool_call.arguments) for tool_call in render_example(example).calls
    ] == [("sail", SAIL_ARGUMENTS)]
    assert [turn.text for turn in example.turns if turn.role == "assistant"] == ["I sail."]


def test_several_calls_in_one_tag_are_read() -> None:
    (example,) = read(
        conversation(TOOLS["json"], f"<tool_call>{PYTHON_CALL}\n{PYTHON_CALL}</tool_call>")
    )
    assert isinstance(example, Example)
    assert len(example.calls) == 2


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        (
            "<tool_response>{'name': 'sail', 'content': {'ok': True}}</tool_response>",
            {"ok": True},
        ),
        ('<tool_response>{"name": "sail", "content": "done"}</tool_response>', "done"),
        ("<tool_response>it's windy</tool_response>", "it's windy"),
        ("it sank", "it sank"),
    ],
)
def test_result_is_read_as_value_or_text(answer: str, output: object) -> None:
    (example,) = read(conversation(TOOLS["json"], CALLS["json"], answer=answer))
    assert isinstance(example, Example)
    assert example.calls[0].result is not None
    assert example.calls[0].result.output == output


def test_conversation_without_calls_is_kept() -> None:
    (example,) = read(conversation(TOOLS["json"], "I cannot."))
    assert isinstance(example, Example)
    assert (example.calls, len(example.definitions)) == ((), 1)


BAD = {
    "a call of words": conversation(TOOLS["json"], "<tool_call>sail away</tool_call>"),
    "a name of no text": conversation(TOOLS["json"], "<tool_call>{'name': 3}</tool_call>"),
    "placeholders": conversation(TOOLS["json"], "<tool_call>{'name': <name>}</tool_call>"),
    "deep": conversation(TOOLS["json"], "<tool_call>" + "[" * 9000 + "]" * 9000 + "</tool_call>"),
    "tools that never end": conversation("<tools>[{'name': 'sail'</tools>", CALLS["json"]),
}


@pytest.mark.parametrize("record", BAD.values(), ids=BAD)
def test_damaged_record_is_rejected_and_the_next_is_read(record: dict[str, Any]) -> None:
    bad, good = read(record, conversation(TOOLS["json"], CALLS["json"]))
    assert isinstance(bad, Rejected)
    assert bad.source_uri == "a.jsonl#1"
    assert isinstance(good, Example)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("hermes", "hermes_official/func-calling.json"),
        ("nestful-v2", "nestful_v2_gold_text/nestful_data.jsonl"),
        ("bfcl", "bfcl_dot"),
    ],
)
def test_published_record_is_imported(name: str, case: str, tmp_path: Path) -> None:
    with ZipFile(shared_file("cases.zip")) as cases:
        members = [member for member in cases.namelist() if member.startswith(f"cases/{case}")]
        cases.extractall(tmp_path, members)
    source = tmp_path / "cases" / case
    done = import_set(name, [source], tmp_path / "out", ImportOptions())
    assert done.stage.rows["rejected"] == 0
    assert done.report.kept == done.report.examples > 0
