"""Tests of both published archives of API-Bank: every call is read, written and read again."""

import ast
import json
import re
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.formats import WritingOptions
from benchloom.exchange.formats.api_bank import FORMAT
from benchloom.exchange.formats.api_bank.call_text import TextCall, read_calls, write_calls
from benchloom.storage.inputs import list_objects
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
COUNTS = {"api_bank.zip": (129, 246), "peers.zip": (104, 217)}
"""Dialogues and calls in files of lines."""
ROWS = 150
ROW_CALLS = 366
SCENE_CALLS = 34


def read_recognised(*paths: Path) -> list[Example | ApiDefinition | Rejected]:
    with ExitStack() as stack:
        objects = list_objects(paths, stack)
        chosen = [
            source_object
            for source_object in objects
            if FORMAT.recognises(source_object.source_uri, source_object.read()[:65536])
        ]
        return list(FORMAT.read(chosen))


def members(archive: str, ending: str) -> dict[str, bytes]:
    with zipfile.ZipFile(shared_file(archive)) as file:
        return {name: file.read(name) for name in file.namelist() if name.endswith(ending)}


@pytest.mark.parametrize("archive", COUNTS)
def test_every_dialogue_and_call_of_the_archive_is_read(archive: str) -> None:
    entries_by_file = {
        name: [json.loads(line) for line in data.decode().splitlines() if line.strip()]
        for name, data in members(archive, ".jsonl").items()
        if "v2_toy" not in name
    }
    read = {
        example.source_uri.partition("!")[2]: example
        for example in read_recognised(shared_file(archive))
        if isinstance(example, Example) and example.source_uri.endswith(".jsonl")
    }
    assert read.keys() == entries_by_file.keys()
    assert (len(entries_by_file), sum(len(example.calls) for example in read.values())) == COUNTS[
        archive
    ]
    for name, entries in entries_by_file.items():
        calls = [record for record in entries if record["role"] == "API"]
        turns = [record["text"] for record in entries if record["role"] != "API"]
        assert [turn.text for turn in read[name].turns] == turns
        for call, entry in zip(read[name].calls, calls, strict=True):
            result = entry["result"]
            assert call.api == entry["api_name"]
            assert {argument.name: argument.value for argument in call.arguments} == entry[
                "param_dict"
            ]
            assert call.result is not None
            assert (call.result.input, call.result.output, call.result.exception) == (
                result["input"],
                result["output"],
                result["exception"],
            )


def call_texts() -> list[str]:
    rows = [
        row
        for name, data in members("peers.zip", ".json").items()
        if "api-bank/json" in name
        for row in json.loads(data)
        if "input" in row
    ]
    assert len(rows) == ROWS
    texts = [f"{row['input']}\n{row.get('output') or row.get('expected_output')}" for row in rows]
    return [
        text
        for row_text in texts
        for text in re.findall(r"^API-Request: (.*)$", row_text, re.MULTILINE)
    ]


def test_call_texts_agree_with_pythons_parser() -> None:
    """Compare the calls with Python's own parser, where a text is valid Python."""
    texts = call_texts()
    assert len(texts) == ROW_CALLS
    agreed = 0
    for text in texts:
        calls, end = read_calls(text)
        reread_calls, _ = read_calls(write_calls(calls))
        assert [(call.api, call.arguments) for call in reread_calls] == [
            (call.api, call.arguments) for call in calls
        ]
        try:
            tree = ast.parse(text[:end], mode="eval").body
            values = [values_of(node) for node in tree.elts]  # type: ignore[attr-defined]  # a list by its first character
        except (SyntaxError, ValueError):
            assert any(call.tolerated for call in calls)
            continue
        assert [dict(call.arguments) for call in calls] == values
        agreed += 1
    assert agreed == ROW_CALLS - 13


def values_of(call: ast.Call) -> dict[str, object]:
    return {
        keyword_argument.arg or "": ast.literal_eval(keyword_argument.value)
        for keyword_argument in call.keywords
    }


@pytest.mark.parametrize("archive", COUNTS)
def test_recorded_calls_survive_as_text(archive: str) -> None:
    """Check both the arguments of a call and the input that the tool understood."""
    with_lists = 0
    for example in read_recognised(shared_file(archive)):
        if not isinstance(example, Example):
            continue
        for call in example.calls:
            arguments = {argument.name: argument.value for argument in call.arguments}
            understood = call.result.input if call.result else None
            for values in (arguments, understood):
                if isinstance(values, dict):
                    text = write_calls([TextCall(call.api, tuple(values.items()))])  # type: ignore[arg-type]  # parsed values
                    ((reread_call,), _) = read_calls(text)
                    assert dict(reread_call.arguments) == values
                    with_lists += any(isinstance(value, list | dict) for value in values.values())
    assert with_lists


def test_scenes_of_the_archive_are_read() -> None:
    scenes = [
        scene
        for scene in read_recognised(shared_file("peers.zip"))
        if isinstance(scene, Example) and scene.source_uri.endswith(".txt")
    ]
    assert sum(len(scene.calls) for scene in scenes) == SCENE_CALLS


def test_exported_archive_reads_back_equal(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    writer = FORMAT.writer(tmp_path / "out", WritingOptions())
    read = [
        example
        for example in read_recognised(shared_file("api_bank.zip"))
        if isinstance(example, Example)
    ]
    assert [loss for example in read for loss in writer.add(example)] == []
    writer.close()
    reread_examples = [
        example for example in read_recognised(tmp_path / "out") if isinstance(example, Example)
    ]
    assert sorted(map(content, reread_examples)) == sorted(map(content, read))


def content(example: Example) -> tuple[str, ...]:
    tools = sorted(definition.definition_id for definition in example.definitions)
    parts = (
        example.split,
        example.target_id,
        example.example_id,
        example.request,
        example.calls,
        example.turns,
        tools,
    )
    return tuple(map(repr, parts))
