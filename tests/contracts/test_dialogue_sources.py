"""Every source of dialogues through one suite; each must bring a hand-made sample."""

import json
import random
import shutil
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchloom.errors import RunError
from benchloom.formats import FORMATS
from benchloom.kinds import UnknownMemberError
from benchloom.plans.gate import check_plan, shape_of
from benchloom.records import ApiDefinition, PlanningPath, Rejected
from benchloom.tables import iter_records
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.convert import convert_to_folder, prepare
from flows.stages.dialogues.options import ConversionOptions
from flows.stages.sharded import run_stage
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.dialogue_samples import dialogue_files, sample

NAMES = DIALOGUE_SOURCES.names()
TABLES = ("api_definitions", "planning_paths", "rejected")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def world(name: str, tmp_path: Path) -> Path:
    copy = tmp_path / "world"
    shutil.copytree(sample(name), copy)
    return copy


def plans(folder: Path) -> list[PlanningPath]:
    return list(iter_records(folder, "planning_paths", PlanningPath))


def rejected(folder: Path) -> list[Rejected]:
    return list(iter_records(folder, "rejected", Rejected))


def told_of(path: Path) -> int:
    """How many dialogues a file of the sample holds."""
    return len(json.loads(path.read_bytes()))


def test_the_sources_are_members() -> None:
    assert {"multiwoz", "sgd"} <= set(NAMES)
    with pytest.raises(UnknownMemberError, match="did you mean 'multiwoz'"):
        DIALOGUE_SOURCES.find("multiwiz")


def test_a_member_says_what_it_is(name: str) -> None:
    source = DIALOGUE_SOURCES.find(name)
    assert (source.name, source.modes[0]) == (name, "flow")
    assert source.title
    assert source.licence
    assert urlsplit(source.address).scheme == "https"
    assert source.role_of("LICENSE.txt") == "other"


def test_the_sample_becomes_plans_that_join_their_definitions(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for mode in DIALOGUE_SOURCES.find(name).modes:
        mark = convert_to_folder(name, [sample(name)], out / mode, ConversionOptions(mode=mode))
        assert mark.stage == f"convert-{name}"
        found = plans(out / mode)
        assert len(found) == sum(map(told_of, dialogue_files(sample(name))))
        assert rejected(out / mode) == []
        assert {path.split for path in found} == {"train", "validation", "test"}
        definitions = list(iter_records(out / mode, "api_definitions", ApiDefinition))
        shapes = {one.definition_id: shape_of(one) for one in definitions}
        assert len(shapes) == len(definitions)
        assert {one.source_kind for one in definitions} == {name}
        for one in definitions:
            assert len(set(one.sources)) == len(one.sources) >= 1
            assert one.source_digest.startswith("file:sha256:")
        assert len({(path.source_uri, path.source_id) for path in found}) == len(found)
        for path in found:
            assert (path.source, path.reference_mode) == (name, mode)
            assert mode == "name" or check_plan(path, shapes) == []
            assert {step.definition_id for step in path.steps} <= shapes.keys()
    told = [path for path in plans(out / "flow") if path.edges]
    assert told, "a sample has plans with data flow"


def test_every_format_tells_every_plan(name: str, tmp_path: Path) -> None:
    for word in FORMATS.names():
        out = tmp_path / word
        mark = convert_to_folder(name, [sample(name)], out, ConversionOptions(format=word))
        lines = (out / f"planning_paths.{word}.jsonl").read_bytes().splitlines()
        assert len(lines) == mark.rows["planning_paths"]
        assert all(isinstance(json.loads(line), dict) for line in lines)


def test_shards_archives_and_repetition_change_no_row(
    name: str, world: Path, tmp_path: Path
) -> None:
    convert_to_folder(name, [world], tmp_path / "one")
    convert_to_folder(name, [world], tmp_path / "two")
    for table in TABLES:
        file = f"{table}.parquet"
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    stage = prepare(name, [world], tmp_path / "stages", shard_bytes=1)
    assert stage.count > 1
    run_stage(stage)
    assert plans(stage.folder) == plans(tmp_path / "one")
    with zipfile.ZipFile(tmp_path / "world.zip", "w") as archive:
        for member in sorted(world.rglob("*.json")):
            archive.write(member, f"top/{member.relative_to(world).as_posix()}")
    convert_to_folder(name, [tmp_path / "world.zip"], tmp_path / "zip")
    assert [(p.path_id, p.split, p.steps, p.edges) for p in plans(tmp_path / "zip")] == [
        (p.path_id, p.split, p.steps, p.edges) for p in plans(tmp_path / "one")
    ]


def test_an_id_stands_once_in_a_split(name: str, world: Path, tmp_path: Path) -> None:
    first = dialogue_files(world)[0]
    shutil.copyfile(first, first.with_name("dialogues_999.json"))
    mark = convert_to_folder(name, [world], tmp_path / "out")
    assert mark.reasons == {"repeated_dialogue_id": told_of(first)}


def test_what_lies_beside_a_single_file_is_found(name: str, tmp_path: Path) -> None:
    for file in dialogue_files(sample(name)):
        out = tmp_path / file.parent.name / file.stem
        mark = convert_to_folder(name, [file], out)
        assert (mark.rows["planning_paths"], mark.reasons) == (told_of(file), {})
        assert {path.source_split for path in plans(out)} == {file.parent.name}


def test_every_damage_is_a_row_and_loses_nothing_in_silence(
    name: str, world: Path, tmp_path: Path
) -> None:
    """Files cut and garbled at chance: each dialogue is a plan or named, and nothing raises."""
    chance = random.Random(name)
    files = sorted(world.rglob("*.json"))
    sound = {file: file.read_bytes() for file in files}
    for turn in range(12):
        file = files[turn % len(files)]
        data = bytearray(sound[file])
        if turn % 2:
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.randint(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(bytes(data))
        mark = convert_to_folder(name, [world], tmp_path / f"out-{turn}")
        rows = rejected(tmp_path / f"out-{turn}")
        assert mark.objects == mark.rows["planning_paths"] + len(rows)
        assert all(row.reason and row.source_uri for row in rows)
        file.write_bytes(sound[file])


def test_without_any_schema_every_dialogue_is_refused_by_name(
    name: str, world: Path, tmp_path: Path
) -> None:
    for schema in world.rglob("schema.json"):
        schema.unlink()
    mark = convert_to_folder(name, [world], tmp_path / "out")
    told = sum(map(told_of, dialogue_files(world)))
    assert (mark.rows["planning_paths"], mark.reasons) == (0, {"missing_schema": told})


def test_a_mode_or_variant_that_is_not_offered_is_wrong_usage(name: str, tmp_path: Path) -> None:
    source = DIALOGUE_SOURCES.find(name)
    wrong = [] if "name" in source.modes else [ConversionOptions(mode="name")]
    for options in (*wrong, ConversionOptions(variant="v9")):
        with pytest.raises(RunError):
            convert_to_folder(name, [sample(name)], tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_all_sources_are_merged_to_one_table(tmp_path: Path) -> None:
    for name in NAMES:
        convert_to_folder(name, [sample(name)], tmp_path / name)
    stage = normalise_plans.prepare([tmp_path / name for name in NAMES], tmp_path / "normalised")
    mark = run_stage(stage)
    assert {path.source for path in plans(stage.folder)} == set(NAMES)
    assert [step.stage for step in mark.funnel()] == [
        *(f"convert-{name}" for name in NAMES),
        "normalise-plans",
    ]
    told = (stage.folder / "statistics.md").read_text()
    for name in NAMES:
        source = DIALOGUE_SOURCES.find(name)
        assert f"| {name} | {source.title} | {source.licence} | {source.address} |" in told
