"""Compare calls rebuilt from real SGD dialogues with the calls that the files record."""

import json
import zipfile
from collections import Counter
from typing import Any

import pytest

from benchloom.core.records import PlanningPath
from parsers.dialogues.material import AccompanyingFile, DialogueInput, PlanOptions, Refused
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data
FOLDER = "dstc8-schema-guided-dialogue/test"
FILES = ("dialogues_001.json", "dialogues_011.json")
Json = dict[str, Any]


def convert_plans(source: str, schema: bytes, dialogues: list[Json]) -> dict[str, PlanningPath]:
    dialogue_input = DialogueInput(
        ("test/d.json",), (AccompanyingFile("test/schema.json", schema),), "top"
    )
    rows = DIALOGUE_SOURCES.find(source).open(dialogue_input, PlanOptions())
    converted_rows = rows.convert("test/d.json", json.dumps(dialogues).encode())
    paths = [row.path for row in converted_rows if not isinstance(row, Refused)]
    return {path.source_id: path for path in paths}


def remove_calls(dialogues: list[Json], *, acts: bool) -> list[Json]:
    """Return the dialogues without calls and results, and optionally without acts."""
    bare_dialogues: list[Json] = json.loads(json.dumps(dialogues))
    for turn in (turn for dialogue in bare_dialogues for turn in dialogue["turns"]):
        for frame in turn["frames"]:
            frame.pop("service_call", None)
            frame.pop("service_results", None)
            for span in frame["slots"]:
                span["value"] = turn["utterance"][span["start"] : span["exclusive_end"]]
            if not acts:
                frame["actions"] = []
    return bare_dialogues


def calls_of(path: PlanningPath) -> list[tuple[str, str, list[tuple[str, str]]]]:
    return [(s.app, s.api, [(a.name, a.value) for a in s.arguments]) for s in path.steps]


def test_acts_restore_every_call_and_spans_most_searches() -> None:
    recorded_calls: Counter[tuple[str, ...]] = Counter()
    by_spans: Counter[tuple[str, ...]] = Counter()
    with zipfile.ZipFile(shared_file("sgd.zip")) as archive:
        schema = archive.read(f"{FOLDER}/schema.json")
        for name in FILES:
            dialogues: list[Json] = json.loads(archive.read(f"{FOLDER}/{name}"))
            recorded = convert_plans("sgd", schema, dialogues)
            rebuilt = convert_plans("multiwoz", schema, remove_calls(dialogues, acts=True))
            spans = convert_plans("multiwoz", schema, remove_calls(dialogues, acts=False))
            for dialogue_id, path in recorded.items():
                calls = calls_of(path)
                assert calls == calls_of(rebuilt[dialogue_id])
                recorded_calls.update((dialogue_id, app, api) for app, api, _ in calls)
                if dialogue_id in spans:
                    by_spans.update((dialogue_id, s.app, s.api) for s in spans[dialogue_id].steps)
    transactional = {
        (service["service_name"], intent["name"])
        for service in json.loads(schema)
        for intent in service["intents"]
        if intent["is_transactional"]
    }
    searches = Counter(
        {key: n for key, n in recorded_calls.items() if key[1:] not in transactional}
    )
    assert searches.total() > 50
    assert (searches & by_spans).total() >= 0.98 * searches.total()
    assert (recorded_calls & by_spans).total() >= 0.8 * by_spans.total()
