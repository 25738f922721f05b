"""Check that rows of several folders with one key become one row or an error with both names."""

import json
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, Dialogue, PlanningPath, Query
from benchloom.release import Manifest, check_release, read_manifest
from benchloom.storage.tables import iter_records, records_in, table_parts, write_table
from benchloom.storage.tables.merged_rows import TableParts, merge_rows, merge_tables
from flows.stages.imports import ImportOptions
from flows.stages.release import FURTHER_GATES, release_stages
from tests.support.demo_world import DEMO
from tests.support.samples.evaluation_release import dialogue_about
from tests.support.samples.plan_release import plans, text_of
from tests.support.shared_data import shared_file
from tests.support.stages import convert, import_set

SGD = DEMO / "sgd"
_TOOL = {
    "name": "double",
    "description": "Doubles a number.",
    "parameters": {
        "type": "dict",
        "properties": {"number": {"type": "integer", "description": "The number."}},
        "required": ["number"],
    },
}


def write_bfcl_set(folder: Path, number: int) -> Path:
    """Write a BFCL set of one row; all sets define the function that it calls alike."""
    name = "BFCL_v4_simple_python.json"
    question = [[{"role": "user", "content": f"Double {number}."}]]
    row = {"id": f"simple_{number}", "question": question, "function": [_TOOL]}
    answer = {"id": f"simple_{number}", "ground_truth": [{"double": {"number": [number]}}]}
    (folder / "possible_answer").mkdir(parents=True)
    (folder / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "possible_answer" / name).write_text(json.dumps(answer) + "\n", encoding="utf-8")
    return folder


def import_bfcl_set(tmp_path: Path, number: int) -> Path:
    out = tmp_path / f"imported-{number}"
    import_set("bfcl", [write_bfcl_set(tmp_path / f"set-{number}", number)], out, ImportOptions())
    return out


def build_and_check(stages: list[Path], tmp_path: Path) -> tuple[Path, Manifest]:
    release = release_stages(stages, tmp_path / "releases")
    return release, check_release(release, FURTHER_GATES)


def test_equal_definitions_of_two_imports_become_one_row(tmp_path: Path) -> None:
    stages = [import_bfcl_set(tmp_path, number) for number in (1, 2)]
    release, manifest = build_and_check(stages, tmp_path)
    assert manifest.merged == {"api_definitions": 1}
    (row,) = iter_records(release, "api_definitions", ApiDefinition)
    assert len(row.sources) == 2
    assert manifest.tables()["planning_paths"] == 2
    again, _ = build_and_check(stages[::-1], tmp_path / "again")
    assert read_manifest(again).content_digest == manifest.content_digest


def test_repeated_stage_counts_once(tmp_path: Path) -> None:
    stage = import_bfcl_set(tmp_path, 1)
    _, manifest = build_and_check([stage, stage], tmp_path)
    assert manifest.tables()["planning_paths"] == 1
    assert len(manifest.funnel) == 1


def test_import_and_conversion_become_one_release(tmp_path: Path) -> None:
    convert("sgd", [SGD], tmp_path / "converted")
    release, _ = build_and_check([tmp_path / "converted", import_bfcl_set(tmp_path, 1)], tmp_path)
    sources = {row.source for row in iter_records(release, "planning_paths", PlanningPath)}
    assert sources == {"bfcl", "sgd"}


def test_conversions_of_two_folders_share_definitions(tmp_path: Path) -> None:
    for split in ("train", "dev"):
        convert("sgd", [SGD / split], tmp_path / split)
    release, _ = build_and_check([tmp_path / "train", tmp_path / "dev"], tmp_path)
    ids = [row.definition_id for row in iter_records(release, "api_definitions", ApiDefinition)]
    assert len(ids) == len(set(ids))
    both = {
        row.definition_id
        for split in ("train", "dev")
        for row in iter_records(tmp_path / split, "api_definitions", ApiDefinition)
    }
    assert set(ids) == both


def write_queries(folder: Path, *rows: Query) -> TableParts:
    write_table("queries", rows, folder / "queries.parquet")
    return TableParts("queries", folder, table_parts(folder, "queries"))


def test_equal_rows_of_any_table_are_merged(tmp_path: Path) -> None:
    first, second, third = (text_of(path) for path in plans(3))
    sources = [
        write_queries(tmp_path / "a", first, second),
        write_queries(tmp_path / "b", second, third),
        write_queries(tmp_path / "c", second),
    ]
    merged = merge_rows("queries", sources, tmp_path / "out")
    assert merged is not None
    assert merged.removed == 2
    parts = [part for group in merged.parts for part in group] + [merged.further]
    rows = [row for part in parts for row in records_in(part, "queries", Query)]
    assert sorted(row.query_id for row in rows) == sorted(
        row.query_id for row in (first, second, third)
    )
    assert merge_rows("queries", sources[:1], tmp_path / "alone") is None
    assert merge_rows("queries", [TableParts("queries", tmp_path, ())], tmp_path / "empty") is None


def test_different_rows_with_one_key_name_both_folders(tmp_path: Path) -> None:
    (path,) = plans(1)
    sources = [
        write_queries(tmp_path / "a", text_of(path)),
        write_queries(tmp_path / "b", text_of(path, tokens_in=7)),
    ]
    with pytest.raises(RunError, match="differ in tokens_in") as error:
        merge_rows("queries", sources, tmp_path / "out")
    for folder in ("a", "b"):
        assert str(tmp_path / folder) in str(error.value)


def test_plan_in_two_splits_is_held_out_with_its_dialogues(tmp_path: Path) -> None:
    (path,) = plans(1)
    stages: list[TableParts] = []
    for number, split in enumerate(("train", "test")):
        folder = tmp_path / split
        plan = msgspec.structs.replace(path, split=split)
        dialogue = msgspec.structs.replace(dialogue_about(path), source_id=f"{number}", split=split)
        write_table("planning_paths", [plan], folder / "planning_paths.parquet")
        write_table("dialogues", [dialogue], folder / "dialogues.parquet")
        stages += [
            TableParts(name, folder, table_parts(folder, name))
            for name in ("dialogues", "planning_paths")
        ]
    merged = merge_tables(stages, tmp_path / "scratch")
    assert merged.counts == {"planning_paths": 1}
    parts = {
        name: [part for table in merged.tables if table.name == name for part in table.parts]
        for name in ("dialogues", "planning_paths")
    }
    plan_splits = [
        row.split
        for part in parts["planning_paths"]
        for row in records_in(part, "planning_paths", PlanningPath)
    ]
    dialogue_splits = [
        row.split for part in parts["dialogues"] for row in records_in(part, "dialogues", Dialogue)
    ]
    assert (plan_splits, dialogue_splits) == (["test"], ["test", "test"])


@pytest.mark.real_data
def test_two_imports_of_published_rows_become_one_release(tmp_path: Path) -> None:
    with ZipFile(shared_file("cases.zip")) as archive:
        archive.extractall(tmp_path)
    (case,) = tmp_path.rglob("two_imports")
    for name in ("in1", "in2"):
        import_set("bfcl", [case / name], tmp_path / name, ImportOptions())
    _, manifest = build_and_check([tmp_path / "in1", tmp_path / "in2"], tmp_path)
    assert manifest.merged == {"api_definitions": 1}
