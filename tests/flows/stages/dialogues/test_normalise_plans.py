"""Check that equal plans become one row in the stage, in a release and in its joins."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import PlanningPath
from benchloom.release import check_release
from benchloom.storage.tables import iter_records
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.release import release_stages
from tests.flows.releases.test_gates import damage_table, findings_of
from tests.support.stages import convert

SGD = Path(__file__).resolve().parents[4] / "demo" / "sgd"
Json = dict[str, Any]


def read_json(path: Path) -> list[Json]:
    records: list[Json] = msgspec.json.decode(path.read_bytes())
    return records


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the demo's dialogues and add repeats of three, one of them in the test split."""
    folder = tmp_path_factory.mktemp("plans") / "world"
    shutil.copytree(SGD, folder)
    first = read_json(folder / "train" / "dialogues_001.json")
    repeats = [
        dialogue | {"dialogue_id": f"7_0000{number}"} for number, dialogue in enumerate(first[1:3])
    ]
    (folder / "train" / "dialogues_009.json").write_bytes(msgspec.json.encode(repeats))
    held_out_repeat = [first[2] | {"dialogue_id": "8_00000"}]
    (folder / "test" / "dialogues_009.json").write_bytes(msgspec.json.encode(held_out_repeat))
    schema = folder / "test" / "schema.json"
    known_services = {service["service_name"] for service in read_json(schema)}
    train = read_json(folder / "train" / "schema.json")
    missing_services = [
        service for service in train if service["service_name"] not in known_services
    ]
    schema.write_bytes(msgspec.json.encode([*read_json(schema), *missing_services]))
    return folder


def read_plans(folder: Path) -> list[PlanningPath]:
    return list(iter_records(folder, "planning_paths", PlanningPath))


def test_plans_in_another_format_are_refused_before_writing(tmp_path: Path) -> None:
    options = ConversionOptions(format="openai")
    convert("sgd", [SGD], tmp_path / "converted", options)
    with pytest.raises(
        RunError, match=r"planning_paths\.openai\.jsonl.*again with --format parquet"
    ):
        release_stages([tmp_path / "converted"], tmp_path / "w" / "releases")
    assert not (tmp_path / "w").exists()


def test_equal_plans_become_one_row_with_all_dialogues(world: Path, tmp_path: Path) -> None:
    converted = convert("sgd", [world], tmp_path / "converted")
    rows = read_plans(converted.path)
    stage = normalise_plans.prepare([converted]).below(tmp_path)
    mark = run_stage(stage)
    merged = read_plans(stage.path)
    assert len({path.path_id for path in merged}) == len(merged) == len(rows) - 3
    assert mark.objects == len(rows)
    dialogue_sources = [dialogue for path in merged for dialogue in path.dialogues]
    assert sorted(map(str, dialogue_sources)) == sorted(str(path.dialogues[0]) for path in rows)
    repeated_plan = next(p for p in merged if len(p.dialogues) == 3)
    assert [(d.source_id, d.split) for d in repeated_plan.dialogues] == [
        ("8_00000", "test"),
        ("1_00002", "train"),
        ("7_00001", "train"),
    ]
    assert repeated_plan.split == "test"
    assert {path.split for path in merged} == {"train", "validation", "test"}
    assert "| test | " in (stage.path / "statistics.md").read_text()


@pytest.fixture(scope="module")
def merged_release(world: Path) -> Path:
    """Build a release directly from the conversion; building it merges the plans."""
    convert("sgd", [world], world.parent / "converted")
    return release_stages([world.parent / "converted"], world.parent / "space" / "releases")


@pytest.fixture
def release(merged_release: Path, tmp_path: Path) -> Path:
    """Copy that release, so that a test can damage it."""
    return shutil.copytree(merged_release, tmp_path / merged_release.name)


def test_release_of_a_conversion_is_sound_and_joins_keep_row_counts(release: Path) -> None:
    manifest = check_release(release)
    frame = pd.read_parquet(release / "planning_paths")
    assert frame["path_id"].is_unique
    texts = pd.DataFrame({"target_id": frame["path_id"], "text": "said"})
    assert len(texts.merge(frame, left_on="target_id", right_on="path_id")) == len(frame)
    dialogue_count = sum(map(len, frame["dialogues"]))
    (step,) = [step for step in manifest.funnel if step.stage == "normalise-plans"]
    assert (step.received, step.kept, dialogue_count) == (
        dialogue_count,
        dialogue_count,
        dialogue_count,
    )


def _first_argument(row: Json) -> Json:
    argument: Json = row["steps"][0]["arguments"][0]
    return argument


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda row: row["dialogues"].pop(), "dialogues, but normalise-plans kept"),
        (lambda row: row.update(split="train"), "split is train, expected test"),
        (lambda row: _first_argument(row).update(value="Elsewhere"), "path_id is plan:"),
        (lambda row: row.update(category="MS"), "category is MS, expected SM"),
        (
            lambda row: _first_argument(row).update(kind="reference"),
            "is reference, expected literal",
        ),
        (
            lambda row: row["dialogues"][1].update(source_uri="train/dialogues_077.json"),
            "train/dialogues_077.json is not among the sources",
        ),
        (lambda row: row.update(dialogues=[]), "has no dialogue"),
    ],
)
def test_gates_find_changed_plans(
    release: Path, change: Callable[[Json], object], finding: str
) -> None:
    def change_repeated_plan(rows: list[Json]) -> str:
        change(next(row for row in rows if len(row["dialogues"]) == 3))
        return finding

    assert damage_table(release, "planning_paths", change_repeated_plan) in findings_of(release)
