"""The words of users through conversion, merging and a release."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.records import Dialogue, PlanningPath, RecordedResult, Utterance
from benchloom.release import check_release
from benchloom.storage.tables import iter_records, table_parts, write_table
from benchloom.storage.workspace import write_mark
from flows.run.finished import open_stage
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.convert import prepare
from flows.stages.dialogues.normalise import merged_rows
from flows.stages.release import release_stages
from parsers.dialogues.sources import DIALOGUE_SOURCES
from parsers.dialogues.sources.sgd import SOURCE as OPEN
from tests.support.stages import convert

SGD = Path(__file__).resolve().parents[4] / "demo" / "sgd"
FIRST = "train/dialogues_001.json"
Json = list[dict[str, Any]]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The demo's dialogues; the first user of train gives a mail address away."""
    folder = tmp_path / "world"
    shutil.copytree(SGD, folder)
    dialogues = msgspec.json.decode((folder / FIRST).read_bytes(), type=Json)
    dialogues[0]["turns"][0]["utterance"] += " Write to kim.sample@mailbox.example.net about it."
    (folder / FIRST).write_bytes(msgspec.json.encode(dialogues))
    return folder


def words(folder: Path) -> list[Dialogue]:
    return list(iter_records(folder, "dialogues", Dialogue))


def first(rows: list[Dialogue]) -> Dialogue:
    return next(row for row in rows if row.source_uri.endswith(FIRST))


def test_words_are_redacted_before_anybody_sees_them(world: Path, tmp_path: Path) -> None:
    convert("sgd", [world], tmp_path / "converted")
    original_text = first(words(tmp_path / "converted")).utterances[0].text
    stage = normalise_plans.prepare([open_stage(tmp_path / "converted")]).below(tmp_path)
    run_stage(stage)
    redacted_text = first(words(stage.path)).utterances[0].text
    assert redacted_text == original_text.replace(
        "kim.sample@mailbox.example.net", "[redacted:email]"
    )
    others = {row.dialogue_id: row for row in words(stage.path)}
    for row in words(tmp_path / "converted"):
        assert row.utterances[1:] == others[row.dialogue_id].utterances[1:]
    release = release_stages([tmp_path / "converted"], tmp_path / "releases")
    check_release(release)
    assert first(words(release)).utterances[0].text == redacted_text
    plans = {path.path_id: path for path in iter_records(release, "planning_paths", PlanningPath)}
    for row in words(release):
        assert row.path_id is not None
        places = {
            (dialogue.source_uri, dialogue.source_id) for dialogue in plans[row.path_id].dialogues
        }
        assert (row.source_uri, row.source_id) in places
    assert sum(len(path.dialogues) for path in plans.values()) == len(words(release))


def test_a_dialogue_stands_in_the_split_of_its_plan(world: Path, tmp_path: Path) -> None:
    """A dialogue of train that makes the plan of one of test is held out with it."""
    dialogues = msgspec.json.decode((world / "test" / "dialogues_001.json").read_bytes(), type=Json)
    dialogues[0]["dialogue_id"] = "9_00000"
    schema = (world / "test" / "schema.json").read_bytes()
    (world / "train" / "schema.json").write_bytes(schema)
    for path in world.glob("train/dialogues_*.json"):
        path.unlink()
    (world / FIRST).write_bytes(msgspec.json.encode(dialogues[:1]))
    convert("sgd", [world], tmp_path / "converted")
    own = {(row.source_id, row.source_split, row.split) for row in words(tmp_path / "converted")}
    assert ("9_00000", "train", "train") in own
    assert {(row, split) for _, row, split in own} == {
        ("train", "train"),
        ("dev", "validation"),
        ("test", "test"),
    }
    release = release_stages([tmp_path / "converted"], tmp_path / "releases")
    check_release(release)
    rows_by_id = {row.source_id: row for row in words(release)}
    assert (rows_by_id["9_00000"].source_split, rows_by_id["9_00000"].split) == ("train", "test")
    plans = {path.path_id: path for path in iter_records(release, "planning_paths", PlanningPath)}
    for row in rows_by_id.values():
        assert row.path_id is not None
        assert row.split == plans[row.path_id].split


def test_who_opts_out_keeps_the_words(world: Path, tmp_path: Path) -> None:
    convert("sgd", [world], tmp_path / "converted")
    dialogue = first(words(tmp_path / "converted"))
    converted = [open_stage(tmp_path / "converted")]
    stage = normalise_plans.prepare(converted, [f" {dialogue.dialogue_id} "]).below(tmp_path)
    run_stage(stage)
    assert stage.key != normalise_plans.prepare(converted).key
    silent = [row for row in words(stage.path) if not row.utterances]
    assert [(row.dialogue_id, row.is_whole) for row in silent] == [(dialogue.dialogue_id, False)]


def test_a_conversion_from_before_brings_no_words(world: Path, tmp_path: Path) -> None:
    converted = convert("sgd", [world], tmp_path / "converted")
    stage = prepare("sgd", [world], tmp_path / "stages", part_bytes=1)
    run_stage(stage)
    assert len(words(stage.path)) == converted.rows["dialogues"] == converted.rows["planning_paths"]
    (tmp_path / "converted" / "dialogues.parquet").unlink()
    write_mark(converted.path, converted.record)
    merged = normalise_plans.prepare([open_stage(tmp_path / "converted")]).below(tmp_path)
    assert run_stage(merged).rows.get("dialogues", 0) == 0
    assert words(merged.path) == []


def test_ids_that_shards_share_take_their_words_along(world: Path, tmp_path: Path) -> None:
    shutil.copyfile(world / FIRST, world / "train" / "dialogues_999.json")
    stage = prepare("sgd", [world], tmp_path / "stages", part_bytes=1)
    run_stage(stage)
    rows = list(iter_records(stage.path, "planning_paths", PlanningPath))
    assert [(row.source_uri, row.source_id) for row in words(stage.path)] == [
        (path.source_uri, path.source_id) for path in rows
    ]
    assert not any("999" in path.source_uri for path in rows)


def test_words_that_nobody_may_pass_on_are_not_read(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = msgspec.structs.replace(OPEN, redistributable=False)
    monkeypatch.setattr(type(DIALOGUE_SOURCES), "find", lambda *_: closed)
    convert("sgd", [world], tmp_path / "converted")
    rows = words(tmp_path / "converted")
    assert rows
    assert not any(row.utterances or row.is_whole for row in rows)


def test_results_are_redacted_and_go_with_the_words(tmp_path: Path) -> None:
    said = (Utterance(0, "Write to kim.sample@mailbox.example.net", "assistant", 1),)
    json_text = '{"to":"kim.sample@mailbox.example.net","sent":true}'
    results = (RecordedResult(0, json_text, json_text, "no kim.sample@mailbox.example.net"),)
    source_fields = ("talks.jsonl", "", None, None)
    rows = [
        Dialogue(name, "sample", name, *source_fields, "CC0-1.0", "Us", said, results)
        for name in ("a", "b")
    ]
    write_table("dialogues", rows, tmp_path / "dialogues.parquet")
    parts = table_parts(tmp_path, "dialogues")
    (merged,) = merged_rows("dialogues", parts, ["b"], lambda _: None)
    dialogue, silent = msgspec.convert(merged.to_pylist(), list[Dialogue])
    (recorded_result,) = dialogue.results
    assert (
        recorded_result.output == recorded_result.input == '{"to":"[redacted:email]","sent":true}'
    )
    assert recorded_result.exception == "no [redacted:email]"
    assert dialogue.utterances[0].text == "Write to [redacted:email]"
    assert (silent.utterances, silent.results, silent.is_whole) == ((), (), False)
