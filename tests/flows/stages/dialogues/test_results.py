"""Check that users' words and service results get from files into a release and into replays."""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import (
    Dialogue,
    PlanningPath,
    RecordedResult,
    ResultRow,
    ServiceResult,
    Utterance,
)
from benchloom.release import check_release
from benchloom.storage.inputs import SourceObject
from benchloom.storage.tables import iter_records, table_parts, write_table
from benchloom.storage.workspace import read_mark, write_mark
from benchloom.worlds.replay import replay_suite, total_of
from benchloom.worlds.suites.sgd import SUITE
from flows.run.finished import open_stage
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.convert import prepare
from flows.stages.dialogues.normalise import merged_rows
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.release import release_stages
from flows.stages.suite_tables import as_tables
from parsers.dialogues.sources import DIALOGUE_SOURCES
from parsers.dialogues.sources.sgd import SOURCE as OPEN
from tests.support.stages import convert

SGD = Path(__file__).resolve().parents[4] / "demo" / "sgd"
FILE = "service_results.parquet"
FIRST_FILE = "train/dialogues_001.json"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results") / "converted"
    convert("sgd", [SGD], out)
    return out


def read_results(folder: Path) -> list[ServiceResult]:
    return list(iter_records(folder, "service_results", ServiceResult))


def read_dialogues(folder: Path) -> list[Dialogue]:
    return list(iter_records(folder, "dialogues", Dialogue))


def first_dialogue(rows: list[Dialogue]) -> Dialogue:
    return next(row for row in rows if row.source_uri.endswith(FIRST_FILE))


def frames_with_calls() -> dict[tuple[str, str], list[tuple[int, Json, bool]]]:
    """Return the frames with calls of every dialogue, decoded by the standard library."""
    return {
        (str(file.relative_to(SGD)), dialogue["dialogue_id"]): [
            (number, frame, any(action["act"] == "NOTIFY_FAILURE" for action in frame["actions"]))
            for number, turn in enumerate(dialogue["turns"])
            for frame in turn["frames"]
            if "service_call" in frame
        ]
        for file in sorted(SGD.glob("*/dialogues_*.json"))
        for dialogue in json.loads(file.read_bytes())
    }


def test_every_recorded_call_becomes_a_row_with_its_result(converted: Path) -> None:
    recorded_frames = frames_with_calls()
    rows = read_results(converted)
    assert len(rows) == sum(map(len, recorded_frames.values())) > 50
    plans = {
        (path.source_uri, path.source_id): path
        for path in iter_records(converted, "planning_paths", PlanningPath)
    }
    for row in rows:
        turn, frame, failed = recorded_frames[row.source_uri.removeprefix("sgd/"), row.source_id][
            row.call
        ]
        call = frame["service_call"]
        assert (row.turn, row.service, row.method) == (turn, frame["service"], call["method"])
        assert json.loads(row.arguments) == call["parameters"]
        assert [json.loads(result_row.values) for result_row in row.rows] == frame[
            "service_results"
        ]
        assert [result_row.rank for result_row in row.rows] == list(range(len(row.rows)))
        assert (row.outcome == "ok") == (bool(row.rows) and not failed)
        plan = plans[row.source_uri, row.source_id]
        step = plan.steps[row.call]
        assert (row.path_id, row.definition_id) == (plan.path_id, step.definition_id)
        assert (row.licence, row.attribution.startswith(OPEN.title)) == (OPEN.licence, True)
    assert {row.outcome for row in rows} == {"ok", "failed"}


def test_opt_out_removes_words_and_results_of_a_dialogue(converted: Path, tmp_path: Path) -> None:
    opted_out_id = read_results(converted)[0].dialogue_id
    stages = [open_stage(converted)]
    stage = normalise_plans.prepare(stages, [f" {opted_out_id} "]).below(tmp_path)
    run_stage(stage)
    assert stage.key != normalise_plans.prepare(stages).key
    emptied_dialogues = [row for row in read_dialogues(stage.path) if not row.utterances]
    assert [(row.dialogue_id, row.is_whole) for row in emptied_dialogues] == [(opted_out_id, False)]
    remaining_calls = {(row.dialogue_id, row.call) for row in read_results(stage.path)}
    assert remaining_calls == {
        (row.dialogue_id, row.call)
        for row in read_results(converted)
        if row.dialogue_id != opted_out_id
    }


def test_secrets_in_results_are_redacted_and_addresses_stay(
    converted: Path, tmp_path: Path
) -> None:
    rows = read_results(converted)
    json_text = '{"address":"12 Harbour Street","mail":"kim.sample@mailbox.example.net"}'
    changed_row = msgspec.structs.replace(
        rows[0], arguments=json_text, rows=(ResultRow(0, json_text),)
    )
    shutil.copytree(converted, tmp_path / "changed")
    file = tmp_path / "changed" / "service_results.parquet"
    write_table("service_results", [changed_row, *rows[1:]], file)
    mark = read_mark(file.parent)
    assert mark is not None
    write_mark(file.parent, mark)
    merged = normalise_plans.prepare([open_stage(file.parent)]).below(tmp_path)
    run_stage(merged)
    redacted_row = read_results(merged.path)[0]
    clean = json_text.replace("kim.sample@mailbox.example.net", "[redacted:email]")
    assert (redacted_row.arguments, redacted_row.rows[0].values) == (clean, clean)


def test_repeated_dialogue_adds_words_and_results_once(converted: Path, tmp_path: Path) -> None:
    world = Path(shutil.copytree(SGD, tmp_path / "sgd"))
    shutil.copyfile(world / "train/dialogues_001.json", world / "train/dialogues_999.json")
    stage = prepare("sgd", [world], tmp_path / "stages", part_bytes=1)
    mark = run_stage(stage)
    assert read_results(stage.path) == read_results(converted)
    assert mark.rows["service_results"] == len(read_results(converted))
    rows = list(iter_records(stage.path, "planning_paths", PlanningPath))
    assert [(row.source_uri, row.source_id) for row in read_dialogues(stage.path)] == [
        (path.source_uri, path.source_id) for path in rows
    ]
    assert not any("999" in path.source_uri for path in rows)


def test_conversion_without_dialogues_adds_no_words(converted: Path, tmp_path: Path) -> None:
    earlier = Path(shutil.copytree(converted, tmp_path / "converted"))
    mark = read_mark(earlier)
    assert mark is not None
    (earlier / "dialogues.parquet").unlink()
    write_mark(earlier, mark)
    merged = normalise_plans.prepare([open_stage(earlier)]).below(tmp_path)
    assert run_stage(merged).rows.get("dialogues", 0) == 0
    assert read_dialogues(merged.path) == []


def test_variants_and_closed_sources_keep_no_words_or_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert("sgd", [SGD], tmp_path / "v1", ConversionOptions(variant="v1"))
    closed = msgspec.structs.replace(OPEN, redistributable=False)
    monkeypatch.setattr(type(DIALOGUE_SOURCES), "find", lambda *_: closed)
    convert("sgd", [SGD], tmp_path / "closed")
    assert read_results(tmp_path / "v1") == read_results(tmp_path / "closed") == []
    closed_rows = read_dialogues(tmp_path / "closed")
    assert closed_rows
    assert not any(row.utterances or row.is_whole for row in closed_rows)


def test_replay_from_files_equals_replay_from_tables(converted: Path) -> None:
    totals = []
    for inputs in ([SGD], [converted]):
        with as_tables("sgd", inputs) as table_folders:
            totals.append(total_of(list(replay_suite("sgd", table_folders))))
    assert totals[0] == totals[1]
    recorded_frames = frames_with_calls()
    assert (totals[0].dialogues, totals[0].calls) == (
        len(recorded_frames),
        sum(map(len, recorded_frames.values())),
    )
    assert totals[0].calls_equal == totals[0].calls - sum(totals[0].reasons.values())


def test_damaged_results_are_excluded_with_a_reason(converted: Path, tmp_path: Path) -> None:
    rows = read_results(converted)
    bad = [
        msgspec.structs.replace(rows[0], arguments="[]"),
        msgspec.structs.replace(rows[-1], definition_id="api:sha256:none"),
    ]
    shutil.copytree(converted, tmp_path / "bad")
    write_table("service_results", [bad[0], *rows[1:-1], bad[1]], tmp_path / "bad" / FILE)
    total = total_of(list(replay_suite("sgd", [tmp_path / "bad"])))
    assert total.reasons.items() >= {"bad_values": 1, "missing_definition": 1}.items()
    assert total.calls + total.excluded == len(rows)


def test_unreadable_table_is_named() -> None:
    assert SUITE.replay is not None
    file = SourceObject(FILE, 3, lambda: b"PAR")
    with pytest.raises(RunError, match=FILE):
        list(SUITE.replay([file]))


def test_released_words_are_redacted_and_joined_with_results(tmp_path: Path) -> None:
    world = Path(shutil.copytree(SGD, tmp_path / "world"))
    dialogues = json.loads((world / FIRST_FILE).read_bytes())
    dialogues[0]["turns"][0]["utterance"] += " Write to kim.sample@mailbox.example.net about it."
    (world / FIRST_FILE).write_text(json.dumps(dialogues))
    convert("sgd", [world], tmp_path / "converted")
    original_text = first_dialogue(read_dialogues(tmp_path / "converted")).utterances[0].text
    stage = normalise_plans.prepare([open_stage(tmp_path / "converted")]).below(tmp_path)
    run_stage(stage)
    redacted_text = first_dialogue(read_dialogues(stage.path)).utterances[0].text
    assert redacted_text == original_text.replace(
        "kim.sample@mailbox.example.net", "[redacted:email]"
    )
    others = {row.dialogue_id: row for row in read_dialogues(stage.path)}
    for row in read_dialogues(tmp_path / "converted"):
        assert row.utterances[1:] == others[row.dialogue_id].utterances[1:]
    release = release_stages([tmp_path / "converted"], tmp_path / "releases")
    check_release(release)
    assert first_dialogue(read_dialogues(release)).utterances[0].text == redacted_text
    plans = {path.path_id: path for path in iter_records(release, "planning_paths", PlanningPath)}
    for row in read_dialogues(release):
        assert row.path_id is not None
        dialogue_keys = {
            (dialogue.source_uri, dialogue.source_id) for dialogue in plans[row.path_id].dialogues
        }
        assert (row.source_uri, row.source_id) in dialogue_keys
    assert sum(len(path.dialogues) for path in plans.values()) == len(read_dialogues(release))
    rows = read_results(release)
    assert len(rows) == len(read_results(tmp_path / "converted"))
    assert {(row.path_id, row.split) for row in rows} <= {
        (path_id, path.split) for path_id, path in plans.items()
    }
    total = total_of(list(replay_suite("sgd", [release])))
    assert (total.calls, total.excluded) == (len(rows), 0)


def test_dialogue_gets_the_split_of_its_plan(tmp_path: Path) -> None:
    """A training dialogue with the plan of a test dialogue is held out together with it."""
    world = Path(shutil.copytree(SGD, tmp_path / "world"))
    dialogues = json.loads((world / "test" / "dialogues_001.json").read_bytes())
    dialogues[0]["dialogue_id"] = "9_00000"
    schema = (world / "test" / "schema.json").read_bytes()
    (world / "train" / "schema.json").write_bytes(schema)
    for path in world.glob("train/dialogues_*.json"):
        path.unlink()
    (world / FIRST_FILE).write_text(json.dumps(dialogues[:1]))
    convert("sgd", [world], tmp_path / "converted")
    splits = {
        (row.source_id, row.source_split, row.split)
        for row in read_dialogues(tmp_path / "converted")
    }
    assert ("9_00000", "train", "train") in splits
    assert {(row, split) for _, row, split in splits} == {
        ("train", "train"),
        ("dev", "validation"),
        ("test", "test"),
    }
    release = release_stages([tmp_path / "converted"], tmp_path / "releases")
    check_release(release)
    rows_by_id = {row.source_id: row for row in read_dialogues(release)}
    assert (rows_by_id["9_00000"].source_split, rows_by_id["9_00000"].split) == ("train", "test")
    plans = {path.path_id: path for path in iter_records(release, "planning_paths", PlanningPath)}
    for row in rows_by_id.values():
        assert row.path_id is not None
        assert row.split == plans[row.path_id].split


def test_recorded_results_are_redacted_and_removed_with_the_words(tmp_path: Path) -> None:
    utterances = (Utterance(0, "Write to kim.sample@mailbox.example.net", "assistant", 1),)
    json_text = '{"to":"kim.sample@mailbox.example.net","sent":true}'
    recorded_results = (
        RecordedResult(0, json_text, json_text, "no kim.sample@mailbox.example.net"),
    )
    source_fields = ("talks.jsonl", "", None, None)
    rows = [
        Dialogue(
            name, "sample", name, *source_fields, "CC0-1.0", "Us", utterances, recorded_results
        )
        for name in ("a", "b")
    ]
    write_table("dialogues", rows, tmp_path / "dialogues.parquet")
    parts = table_parts(tmp_path, "dialogues")
    (merged,) = merged_rows("dialogues", parts, ["b"], lambda _: None)
    dialogue, emptied_dialogue = msgspec.convert(merged.to_pylist(), list[Dialogue])
    (recorded_result,) = dialogue.results
    assert (
        recorded_result.output == recorded_result.input == '{"to":"[redacted:email]","sent":true}'
    )
    assert recorded_result.exception == "no [redacted:email]"
    assert dialogue.utterances[0].text == "Write to [redacted:email]"
    assert (emptied_dialogue.utterances, emptied_dialogue.results, emptied_dialogue.is_whole) == (
        (),
        (),
        False,
    )
