"""Both published archives: every call is read, written and read again; counted independently."""

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


def found_in(*paths: Path) -> list[Example | ApiDefinition | Rejected]:
    with ExitStack() as stack:
        objects = list_objects(paths, stack)
        chosen = [one for one in objects if FORMAT.recognises(one.source_uri, one.read()[:65536])]
        return list(FORMAT.read(chosen))


def members(archive: str, ending: str) -> dict[str, bytes]:
    with zipfile.ZipFile(shared_file(archive)) as file:
        return {name: file.read(name) for name in file.namelist() if name.endswith(ending)}


@pytest.mark.parametrize("archive", COUNTS)
def test_every_dialogue_and_call_is_read(archive: str) -> None:
    told = {
        name: [json.loads(line) for line in data.decode().splitlines() if line.strip()]
        for name, data in members(archive, ".jsonl").items()
        if "v2_toy" not in name
    }
    read = {
        one.source_uri.partition("!")[2]: one
        for one in found_in(shared_file(archive))
        if isinstance(one, Example) and one.source_uri.endswith(".jsonl")
    }
    assert read.keys() == told.keys()
    assert (len(told), sum(len(one.calls) for one in read.values())) == COUNTS[archive]
    for name, entries in told.items():
        calls = [one for one in entries if one["role"] == "API"]
        turns = [one["text"] for one in entries if one["role"] != "API"]
        assert [turn.text for turn in read[name].turns] == turns
        for call, entry in zip(read[name].calls, calls, strict=True):
            result = entry["result"]
            assert call.api == entry["api_name"]
            assert {one.name: one.value for one in call.arguments} == entry["param_dict"]
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
    return [text for one in texts for text in re.findall(r"^API-Request: (.*)$", one, re.MULTILINE)]


def test_every_call_text_is_read_and_python_agrees() -> None:
    """Where a text is Python, Python's own parser finds the same values."""
    texts = call_texts()
    assert len(texts) == ROW_CALLS
    agreed = 0
    for text in texts:
        calls, end = read_calls(text)
        again, _ = read_calls(write_calls(calls))
        assert [(one.api, one.arguments) for one in again] == [
            (one.api, one.arguments) for one in calls
        ]
        try:
            tree = ast.parse(text[:end], mode="eval").body
            values = [values_of(one) for one in tree.elts]  # type: ignore[attr-defined]
        except (SyntaxError, ValueError):
            assert any(one.tolerated for one in calls)
            continue
        assert [dict(one.arguments) for one in calls] == values
        agreed += 1
    assert agreed == ROW_CALLS - 13


def values_of(call: ast.Call) -> dict[str, object]:
    return {one.arg or "": ast.literal_eval(one.value) for one in call.keywords}


@pytest.mark.parametrize("archive", COUNTS)
def test_every_recorded_call_survives_as_text(archive: str) -> None:
    """Lists and objects included: what the tool understood of each call has them."""
    with_lists = 0
    for one in found_in(shared_file(archive)):
        if not isinstance(one, Example):
            continue
        for call in one.calls:
            given = {argument.name: argument.value for argument in call.arguments}
            understood = call.result.input if call.result else None
            for values in (given, understood):
                if isinstance(values, dict):
                    text = write_calls([TextCall(call.api, tuple(values.items()))])  # type: ignore[arg-type]
                    ((back,), _) = read_calls(text)
                    assert dict(back.arguments) == values
                    with_lists += any(isinstance(value, list | dict) for value in values.values())
    assert with_lists


def test_scenes_are_read() -> None:
    scenes = [
        one
        for one in found_in(shared_file("peers.zip"))
        if isinstance(one, Example) and one.source_uri.endswith(".txt")
    ]
    assert sum(len(one.calls) for one in scenes) == SCENE_CALLS


def test_the_archive_comes_back_equal(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    writer = FORMAT.writer(tmp_path / "out", WritingOptions())
    read = [one for one in found_in(shared_file("api_bank.zip")) if isinstance(one, Example)]
    assert [loss for one in read for loss in writer.add(one)] == []
    writer.close()
    back = [one for one in found_in(tmp_path / "out") if isinstance(one, Example)]
    assert sorted(map(content, back)) == sorted(map(content, read))


def content(one: Example) -> tuple[str, ...]:
    tools = sorted(definition.definition_id for definition in one.definitions)
    told = (one.split, one.target_id, one.example_id, one.request, one.calls, one.turns, tools)
    return tuple(map(repr, told))
