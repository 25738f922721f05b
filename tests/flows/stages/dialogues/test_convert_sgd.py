"""Check the conversion of SGD dialogues as a stage and as a command, on the demo world."""

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import flows.run.stage
from benchloom.core.errors import RunError
from benchloom.core.records import ApiDefinition, PlanningPath, Rejected
from benchloom.core.records.planning_path import Mode
from benchloom.exchange.formats import FORMATS, LineFormat
from benchloom.normalise.plans.gate import check_plan, shape_of
from benchloom.storage.tables import iter_records
from flows.run.runner import run_stage
from flows.stages.dialogues import convert as convert_dialogues
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.dialogues.select import read_rules, write_selection
from tests.support.commands import benchloom
from tests.support.stages import convert

DEMO = Path(__file__).resolve().parents[4] / "demo" / "sgd"
PLANS = 29
CALLS = 59


def plans(out: Path) -> list[PlanningPath]:
    return list(iter_records(out, "planning_paths", PlanningPath))


def rejected_rows(out: Path) -> list[Rejected]:
    return list(iter_records(out, "rejected", Rejected))


def run_convert(*arguments: str | Path) -> CompletedProcess[str]:
    return benchloom("convert", "sgd", *arguments)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    copy = tmp_path / "world"
    shutil.copytree(DEMO, copy)
    return copy


def read_dialogues(file: Path) -> list[dict[str, Any]]:
    """Return the decoded content of a dialogue or schema file."""
    dialogues: list[dict[str, Any]] = json.loads(file.read_bytes())
    return dialogues


def test_command_writes_tables_and_one_json_summary(tmp_path: Path) -> None:
    done = run_convert(DEMO, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["rows"] == {
        "api_definitions": 17,
        "dialogues": PLANS,
        "planning_paths": PLANS,
        "rejected": 0,
        "service_results": CALLS,
    }
    assert summary["objects"] == PLANS
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "api_definitions.parquet",
        "dialogues.parquet",
        "funnel.json",
        "planning_paths.parquet",
        "rejected.parquet",
        "service_results.parquet",
        "source.json",
        "stage.json",
        "statistics.json",
        "statistics.md",
    ]
    plans_by_id = {path.source_id: path for path in plans(tmp_path / "out")}
    assert plans_by_id["3_00004"].split == "test"
    assert plans_by_id["3_00004"].source_uri == "test/dialogues_001.json"
    assert plans_by_id["3_00004"].reference_mode == "flow"
    assert plans_by_id["3_00004"].steps[2].app == "RideSharing_1"


@pytest.mark.parametrize("name", FORMATS.only(LineFormat))
@pytest.mark.parametrize("mode", ["flow", "name"])
def test_every_format_writes_one_json_line_for_each_plan(
    tmp_path: Path, name: str, mode: Mode
) -> None:
    convert("sgd", [DEMO], tmp_path / "out", ConversionOptions(mode=mode, format=name))
    lines = (tmp_path / "out" / f"planning_paths.{name}.jsonl").read_text().splitlines()
    assert len(lines) == PLANS
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert (tmp_path / "out" / "rejected.parquet").is_file()
    assert not (tmp_path / "out" / "planning_paths.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "word"],
        ["--mode", "name", "--drop", "failed"],
        ["--mode", "name", "--variant", "v1"],
        ["--variant", "v9"],
        ["--format", "openai", "--select"],
    ],
)
def test_wrong_usage_ends_with_one_line_and_exit_code_2(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = run_convert(DEMO, "--out", tmp_path / "out", *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_input_without_dialogues_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "schema.json").write_text("[]")
    done = run_convert(tmp_path / "in", "--out", tmp_path / "out")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_strict_option_fails_when_a_dialogue_is_rejected(world: Path, tmp_path: Path) -> None:
    file = world / "dev" / "dialogues_001.json"
    file.write_bytes(file.read_bytes()[:-900])
    assert run_convert(world, "--out", tmp_path / "lax").returncode == 0
    done = run_convert(world, "--out", tmp_path / "strict", "--strict")
    assert done.returncode == 1
    (row,) = rejected_rows(tmp_path / "strict")
    assert (row.stage, row.source_uri) == ("convert", "dev/dialogues_001.json#2_00007")
    assert row.reason == "bad_json"
    assert row.message.startswith("2_00007: ")
    assert row.digest is not None


def test_repeated_id_is_rejected_within_a_file_and_across_shards(
    world: Path, tmp_path: Path
) -> None:
    first = read_dialogues(world / "train" / "dialogues_001.json")
    (world / "train" / "dialogues_001.json").write_text(json.dumps([*first, first[0]]))
    second = read_dialogues(world / "train" / "dialogues_002.json")
    (world / "train" / "dialogues_002.json").write_text(json.dumps([first[3], *second]))
    # The same id in another split is another dialogue.
    test = read_dialogues(world / "test" / "dialogues_001.json")
    test[0]["dialogue_id"] = "1_00000"
    (world / "test" / "dialogues_001.json").write_text(json.dumps(test))
    stage = convert_dialogues.prepare("sgd", [world], tmp_path / "stages", part_bytes=1)
    assert stage.count == 10
    mark = run_stage(stage)
    assert mark.rows == {
        "api_definitions": 17,
        "dialogues": PLANS,
        "planning_paths": PLANS,
        "rejected": 2,
        "service_results": CALLS,
    }
    assert mark.reasons == {"repeated_dialogue_id": 2}
    assert len(plans(stage.path)) == PLANS
    assert [row.source_uri for row in rejected_rows(stage.path)] == [
        "train/dialogues_001.json#1_00000",
        "train/dialogues_002.json#1_00003",
    ]
    single_shard = convert("sgd", [world], tmp_path / "whole")
    assert (single_shard.rows, single_shard.reasons) == (mark.rows, mark.reasons)
    lines = convert_dialogues.prepare(
        "sgd", [world], options=ConversionOptions(format="nestful"), part_bytes=1
    )
    run_stage(replace(lines, folder=tmp_path / "lines"))
    written = b"".join(p.read_bytes() for p in sorted((tmp_path / "lines" / "lines").iterdir()))
    assert written.count(b'"sample_id":"1_00003"') == 1
    assert len(written.splitlines()) == PLANS


def test_interrupted_run_reuses_no_shard_that_lacks_its_repeats(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = read_dialogues(world / "train" / "dialogues_001.json")
    second = read_dialogues(world / "train" / "dialogues_002.json")
    (world / "train" / "dialogues_002.json").write_text(json.dumps([first[3], *second]))
    with monkeypatch.context() as patched:
        patched.setattr(flows.run.stage, "finish_stage", raise_interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_stage(convert_dialogues.prepare("sgd", [world], tmp_path / "stages", part_bytes=1))
    done = run_stage(convert_dialogues.prepare("sgd", [world], tmp_path / "stages", part_bytes=1))
    assert done.reasons == {"repeated_dialogue_id": 1}
    (world / "train" / "dialogues_001.json").write_text(json.dumps([*first[:3], *first[4:]]))
    alone = convert_dialogues.prepare("sgd", [world], tmp_path / "stages", part_bytes=1)
    assert (run_stage(alone).reasons, len(plans(alone.path))) == ({}, PLANS)


def raise_interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_dialogues_without_a_readable_schema_are_rejected(world: Path, tmp_path: Path) -> None:
    (world / "dev" / "schema.json").unlink()
    (world / "train" / "schema.json").write_text('[{"service_name": ')
    mark = convert("sgd", [world], tmp_path / "out")
    assert mark.rows["planning_paths"] == 8
    assert mark.reasons == {"bad_schema": 1, "missing_schema": 21}
    source_uris = [row.source_uri for row in rejected_rows(tmp_path / "out")]
    assert "train/schema.json" in source_uris
    assert source_uris == sorted(source_uris)


def test_files_without_dialogues_are_rejected_or_counted(world: Path, tmp_path: Path) -> None:
    (world / "train" / "dialogues_003.json").write_text('{"not": "a list"}')
    (world / "notes.bin").write_bytes(b"\x00\x01")
    (world / "LICENSE.txt").write_text("free")
    mark = convert("sgd", [world], tmp_path / "out")
    assert mark.rows["planning_paths"] == PLANS
    assert mark.reasons == {"not_dialogues": 2}
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_bytes())
    assert funnel["other_files"] == 1
    assert funnel["plans"]["all"] == {"SS": 7, "SM": 10, "MS": 8, "MM": 4, "all": PLANS}


@pytest.mark.parametrize("variant", [None, "v1"])
def test_every_step_joins_its_definition(tmp_path: Path, variant: str | None) -> None:
    convert("sgd", [DEMO], tmp_path / "out", ConversionOptions(variant=variant))
    definitions_by_id = {
        d.definition_id: d for d in iter_records(tmp_path / "out", "api_definitions", ApiDefinition)
    }
    shapes = {name: shape_of(definition) for name, definition in definitions_by_id.items()}
    for path in plans(tmp_path / "out"):
        assert check_plan(path, shapes) == []
        for step in path.steps:
            assert definitions_by_id[step.definition_id].app == step.app
            assert definitions_by_id[step.definition_id].source_kind == "sgd"
    shared = next(
        d for d in definitions_by_id.values() if d.app is not None and d.app.startswith("RideShar")
    )
    assert len(shared.sources) == 3
    assert shared.parameters[0].optional is False
    assert [json.loads(p.default) for p in shared.parameters if p.default] == ["1", "False"]


def test_archive_folder_and_single_files_give_equal_plans(tmp_path: Path) -> None:
    archive = tmp_path / "world.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for member in sorted(DEMO.rglob("*.json")):
            file.write(member, f"top/{member.relative_to(DEMO)}")
    convert("sgd", [archive], tmp_path / "zip", ConversionOptions(mode="name"))
    convert("sgd", [DEMO], tmp_path / "folder", ConversionOptions(mode="name"))
    by_id = {path.source_id: path for path in plans(tmp_path / "folder")}
    for path in plans(tmp_path / "zip"):
        assert path.path_id == by_id[path.source_id].path_id
        assert path.split == by_id[path.source_id].split
        assert path.source_uri == f"world.zip!top/{by_id[path.source_id].source_uri}"
    convert("sgd", [DEMO / "test" / "dialogues_001.json"], tmp_path / "one")
    assert {path.split for path in plans(tmp_path / "one")} == {"test"}
    assert len(plans(tmp_path / "one")) == 8
    convert("sgd", [DEMO / "train"], tmp_path / "train")
    assert {path.split for path in plans(tmp_path / "train")} == {"train"}


def test_calls_are_rebuilt_from_dialogue_states(world: Path, tmp_path: Path) -> None:
    file = world / "test" / "dialogues_001.json"
    dialogues = read_dialogues(file)
    for dialogue in dialogues:
        for turn in dialogue["turns"]:
            for frame in turn["frames"]:
                frame.pop("service_call", None)
                frame.pop("service_results", None)
    recorded = {p.source_id: p for p in convert_and_read(world, tmp_path / "recorded")}
    file.write_text(json.dumps(dialogues))
    rebuilt = convert_and_read(world, tmp_path / "rebuilt")
    assert len(rebuilt) == PLANS
    for path in rebuilt:
        assert [(s.definition_id, s.outcome) for s in path.steps] == [
            (s.definition_id, s.outcome) for s in recorded[path.source_id].steps
        ]


def convert_and_read(world: Path, out: Path) -> list[PlanningPath]:
    convert("sgd", [world], out)
    return plans(out)


def test_variant_renames_apis_and_keeps_the_graph(tmp_path: Path) -> None:
    convert("sgd", [DEMO], tmp_path / "plain")
    convert("sgd", [DEMO], tmp_path / "v1", ConversionOptions(variant="v1"))
    plans_by_id = {path.source_id: path for path in plans(tmp_path / "plain")}
    for path in plans(tmp_path / "v1"):
        original = plans_by_id[path.source_id]
        assert sorted((e.from_step, e.to_step, e.evidence) for e in path.edges) == sorted(
            (e.from_step, e.to_step, e.evidence) for e in original.edges
        )
        assert path.path_id != original.path_id
    # Python keywords are names like any other.
    ride = next(p for p in plans(tmp_path / "v1") if p.source_id == "1_00006")
    assert [(e.output, e.argument) for e in ride.edges] == [("from", "going_to")]
    assert (ride.steps[1].app, ride.steps[1].api) == ("RideSharing_11", "CallDriver")


def test_variant_is_read_from_archives_despite_a_missing_schema(
    world: Path, tmp_path: Path
) -> None:
    (world / "dev" / "schema.json").unlink()
    for name in ("one.zip", "two.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for member in sorted(world.rglob("*.json")):
                file.write(member, member.relative_to(world).as_posix())
    archives = [tmp_path / "one.zip", tmp_path / "two.zip"]
    mark = convert("sgd", archives, tmp_path / "out", ConversionOptions(variant="v1"))
    assert mark.rows["planning_paths"] == 42
    assert mark.reasons == {"missing_schema": 16}


def test_misaligned_variant_is_wrong_usage(world: Path, tmp_path: Path) -> None:
    file = world / "sgd_x" / "data" / "v1" / "train" / "schema.json"
    file.write_text(json.dumps(read_dialogues(file)[1:]))
    done = run_convert(world, "--out", tmp_path / "out", "--variant", "v1")
    assert done.returncode == 2
    assert "differs between the schema and the variant" in done.stderr


def test_selection_is_reproducible_and_disjoint(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(
        "seed: 7\nsets: [{name: test, split: test, per_category: 2},"
        " {name: train, split: train, per_category: 3}]\n"
    )
    chosen = []
    for name in ("one", "two"):
        convert("sgd", [DEMO], tmp_path / name)
        report = write_selection(tmp_path / name, read_rules(rules))
        assert [plan_set.plans for plan_set in report.sets] == [
            {"SS": 2, "SM": 2, "MS": 2, "MM": 2},
            {"SS": 2, "SM": 3, "MS": 3, "MM": 1},
        ]
        folder = tmp_path / name / "selected"
        chosen.append((folder / "test" / "planning_paths.parquet").read_bytes())
        assert json.loads((folder / "selection.json").read_bytes())["leakage"][0]["plans"] == 8
    assert chosen[0] == chosen[1]
    with pytest.raises(RunError, match="unknown field"):
        rules.write_text("sede: 7\n")
        read_rules(rules)


def test_name_mode_cannot_be_concatenated(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("concatenation: {shortest: 2}\n")
    done = run_convert(DEMO, "--out", tmp_path / "out", "--mode", "name", "--rules", rules)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_select_option_draws_sets(tmp_path: Path) -> None:
    done = run_convert(DEMO, "--out", tmp_path / "out", "--select")
    assert done.returncode == 0, done.stderr
    assert "test: " in done.stdout
    assert len(plans(tmp_path / "out" / "selected" / "test")) == 8
