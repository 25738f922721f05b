"""Check that name mode reproduces the published records field by field."""

import json
import zipfile
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from benchloom.core.records import PlanningPath
from benchloom.exchange.examples.plans import example_of
from benchloom.exchange.formats import appbench
from benchloom.normalise.plans.assembly import build_path
from parsers.dialogues.provenance.flow_mode import traced_calls
from parsers.dialogues.provenance.name_mode import name_steps, published_apis
from parsers.dialogues.sgd.dialogue_files import DialogueReader
from parsers.dialogues.sgd.model import Dialogue
from parsers.dialogues.sgd.schema import Schema, read_schema
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
ROOT = "dstc8-schema-guided-dialogue"


@cache
def read_split_schema(split: str) -> Schema:
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        return read_schema(archive.read(f"{ROOT}/{split}/schema.json"))


@cache
def read_dialogues(split: str, file: str) -> dict[str, Dialogue]:
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        data = archive.read(f"{ROOT}/{split}/{file}")
    parsed_dialogues = DialogueReader(Dialogue).read(data)
    return {d.dialogue_id: d for d in parsed_dialogues if isinstance(d, Dialogue)}


def convert_dialogues(sources: tuple[dict[str, str], ...]) -> PlanningPath:
    calls = []
    for source in sources:
        dialogue = read_dialogues(source["split"], source["file"])[source["dialogue"]]
        calls += [
            traced.call for traced in traced_calls(dialogue, read_split_schema(source["split"]))
        ]
    steps, edges, _ = name_steps(
        calls, published_apis(read_split_schema("test"), read_split_schema("test"))
    )
    return build_path(
        source="sgd",
        source_id="+".join(source["dialogue"] for source in sources),
        source_uri="sgd.zip",
        split="test",
        reference_mode="name",
        steps=steps,
        edges=edges,
    )


def appbench_output(path: PlanningPath) -> dict[str, Any]:
    output: dict[str, Any] = msgspec.to_builtins(appbench.entry_of(example_of(path, {})).output)
    output["middle_arguments"] = set(output["middle_arguments"])
    return output


def read_gold() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(
        shared_file("appbench_gold_sample.json").read_bytes()
    )
    assert len(records) == 73
    return records


def test_published_records_are_reproduced() -> None:
    for entry in read_gold():
        expected = dict(entry["record"]["output"])
        expected["middle_arguments"] = set(expected["middle_arguments"])
        # A source is one dialogue, or a list of dialogues that make the same call.
        choices = [s if isinstance(s, list) else [s] for s in entry["sources"]]
        for sources in product(*choices):
            path = convert_dialogues(sources)
            output = appbench_output(path)
            for field, value in expected.items():
                assert output[field] == value, f"{entry['id']}: {field}"
            assert path.category == entry["type"], entry["id"]
            assert list(output["user_aware_arguments"]) == list(expected["user_aware_arguments"])
