"""Every source of dialogues through one suite; each must bring a hand-made sample."""

import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from benchloom.core.errors import RunError
from benchloom.core.kinds import UnknownMemberError
from benchloom.core.records import ApiDefinition, Dialogue, PlanningPath, Rejected
from benchloom.exchange.formats import FORMATS, LineFormat
from benchloom.normalise.plans.gate import check_plan, shape_of
from benchloom.storage.tables import iter_records
from flows.run.runner import run_stage
from flows.stages.dialogues import normalise as normalise_plans
from flows.stages.dialogues.convert import prepare
from flows.stages.dialogues.options import ConversionOptions
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.support.samples.dialogues import dialogue_files, sample
from tests.support.stages import convert

NAMES = DIALOGUE_SOURCES.names()
TABLES = ("api_definitions", "dialogues", "planning_paths", "rejected", "service_results")


class Case(NamedTuple):
    """A source and its sample, and a folder to work in."""

    name: str
    sample: Path
    work: Path

    def copy(self) -> Path:
        """The sample, to be changed."""
        return Path(shutil.copytree(self.sample, self.work / "world"))


def plans(folder: Path) -> list[PlanningPath]:
    return list(iter_records(folder, "planning_paths", PlanningPath))


def rejected(folder: Path) -> list[Rejected]:
    return list(iter_records(folder, "rejected", Rejected))


def told_of(path: Path) -> int:
    """How many dialogues a file of the sample holds."""
    return path.read_bytes().count(b'"dialogue_id"')


def test_the_sources_are_members() -> None:
    assert {"multiwoz", "sgd"} <= set(NAMES)
    with pytest.raises(UnknownMemberError, match="did you mean 'multiwoz'"):
        DIALOGUE_SOURCES.find("multiwiz")


def says_what_it_is(case: Case) -> None:
    source = DIALOGUE_SOURCES.find(case.name)
    assert (source.name, source.modes[0]) == (case.name, "flow")
    assert source.title
    assert source.licence
    assert urlsplit(source.address).scheme == "https"
    assert source.role_of("LICENSE.txt") == "other"


def makes_plans_that_join_their_definitions(case: Case) -> None:
    out = case.work / "out"
    for mode in DIALOGUE_SOURCES.find(case.name).modes:
        mark = convert(case.name, [case.sample], out / mode, ConversionOptions(mode=mode))
        assert mark.name == f"convert-{case.name}"
        paths = plans(out / mode)
        assert len(paths) == sum(map(told_of, dialogue_files(case.sample)))
        assert rejected(out / mode) == []
        assert {path.split for path in paths} == {"train", "validation", "test"}
        definitions = list(iter_records(out / mode, "api_definitions", ApiDefinition))
        shapes = {definition.definition_id: shape_of(definition) for definition in definitions}
        assert len(shapes) == len(definitions)
        assert {definition.source_kind for definition in definitions} == {case.name}
        for definition in definitions:
            assert len(set(definition.sources)) == len(definition.sources) >= 1
            assert definition.source_digest.startswith("file:sha256:")
        assert len({(path.source_uri, path.source_id) for path in paths}) == len(paths)
        for path in paths:
            assert (path.source, path.reference_mode) == (case.name, mode)
            assert mode == "name" or check_plan(path, shapes) == []
            assert {step.definition_id for step in path.steps} <= shapes.keys()
    flow_paths = [path for path in plans(out / "flow") if path.edges]
    assert flow_paths, "a sample has plans with data flow"


def dialogues_of(text: str) -> list[dict[str, Any]]:
    """The dialogues of a sample: a list, or one on each line."""
    dialogues: list[dict[str, Any]] = (
        json.loads(text) if text.startswith("[") else list(map(json.loads, text.splitlines()))
    )
    return dialogues


def keeps_what_users_said(case: Case) -> None:
    """The words of each plan's dialogue, with the licence they come under; found independently."""
    source = DIALOGUE_SOURCES.find(case.name)
    out = case.work / "out"
    convert(case.name, [case.sample], out)
    rows = list(iter_records(out, "dialogues", Dialogue))
    assert [(row.source_id, row.source_uri, row.path_id) for row in rows] == [
        (path.source_id, path.source_uri, path.path_id) for path in plans(out)
    ]
    assert {row.licence for row in rows} == {source.licence}
    assert all(source.address in row.attribution and row.is_whole for row in rows)
    user_turns = {
        (file.name, dialogue["dialogue_id"]): [
            (number, turn["utterance"])
            for number, turn in enumerate(dialogue["turns"])
            if turn["speaker"] == "USER"
        ]
        for file in dialogue_files(case.sample)
        for dialogue in dialogues_of(file.read_text())
    }
    assert {
        (Path(row.source_uri).name, row.source_id): [
            (utterance.turn, utterance.text) for utterance in row.utterances
        ]
        for row in rows
    } == user_turns
    assert all(user_turns.values())


def is_told_by_every_format(case: Case) -> None:
    for word in FORMATS.only(LineFormat):
        out = case.work / word
        mark = convert(case.name, [case.sample], out, ConversionOptions(format=word))
        lines = (out / f"planning_paths.{word}.jsonl").read_bytes().splitlines()
        assert len(lines) == mark.rows["planning_paths"]
        assert all(isinstance(json.loads(line), dict) for line in lines)


def is_the_same_in_shards_archives_and_again(case: Case) -> None:
    world = case.copy()
    convert(case.name, [world], case.work / "one")
    convert(case.name, [world], case.work / "two")
    for table in TABLES:
        file = f"{table}.parquet"
        assert (case.work / "one" / file).read_bytes() == (case.work / "two" / file).read_bytes()
    stage = prepare(case.name, [world], case.work / "stages", part_bytes=1)
    assert stage.count > 1
    run_stage(stage)
    assert plans(stage.path) == plans(case.work / "one")
    with zipfile.ZipFile(case.work / "world.zip", "w") as archive:
        for member in sorted(world.rglob("*.json")):
            archive.write(member, f"top/{member.relative_to(world).as_posix()}")
    convert(case.name, [case.work / "world.zip"], case.work / "zip")
    assert [(p.path_id, p.split, p.steps, p.edges) for p in plans(case.work / "zip")] == [
        (p.path_id, p.split, p.steps, p.edges) for p in plans(case.work / "one")
    ]


def has_an_id_once_in_a_split(case: Case) -> None:
    world = case.copy()
    first = dialogue_files(world)[0]
    shutil.copyfile(first, first.with_name("dialogues_999.json"))
    mark = convert(case.name, [world], case.work / "out")
    assert mark.reasons == {"repeated_dialogue_id": told_of(first)}


def finds_what_lies_beside_a_single_file(case: Case) -> None:
    for file in dialogue_files(case.sample):
        out = case.work / file.parent.name / file.stem
        mark = convert(case.name, [file], out)
        assert (mark.rows["planning_paths"], mark.reasons) == (told_of(file), {})
        assert {path.source_split for path in plans(out)} == {file.parent.name}


def makes_a_row_of_every_damage(case: Case) -> None:
    """Files cut and garbled at chance: each dialogue is a plan or named, and nothing raises."""
    world = case.copy()
    chance = random.Random(case.name)
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
        mark = convert(case.name, [world], case.work / f"out-{turn}")
        rows = rejected(case.work / f"out-{turn}")
        assert mark.objects == mark.rows["planning_paths"] + len(rows)
        assert all(row.reason and row.source_uri for row in rows)
        file.write_bytes(sound[file])


def refuses_every_dialogue_without_a_schema(case: Case) -> None:
    world = case.copy()
    for schema in world.rglob("schema.json"):
        schema.unlink()
    mark = convert(case.name, [world], case.work / "out")
    dialogue_count = sum(map(told_of, dialogue_files(world)))
    assert (mark.rows["planning_paths"], mark.reasons) == (0, {"missing_schema": dialogue_count})


def refuses_modes_and_variants_it_does_not_offer(case: Case) -> None:
    source = DIALOGUE_SOURCES.find(case.name)
    wrong = [] if "name" in source.modes else [ConversionOptions(mode="name")]
    for options in (*wrong, ConversionOptions(variant="v9")):
        with pytest.raises(RunError):
            convert(case.name, [case.sample], case.work / "out", options)
    assert not (case.work / "out").exists()


SUITE: tuple[Callable[[Case], None], ...] = (
    says_what_it_is,
    makes_plans_that_join_their_definitions,
    keeps_what_users_said,
    is_told_by_every_format,
    is_the_same_in_shards_archives_and_again,
    has_an_id_once_in_a_split,
    finds_what_lies_beside_a_single_file,
    makes_a_row_of_every_damage,
    refuses_every_dialogue_without_a_schema,
    refuses_modes_and_variants_it_does_not_offer,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("claim", SUITE, ids=lambda claim: claim.__name__)
def test_a_source(claim: Callable[[Case], None], name: str, tmp_path: Path) -> None:
    claim(Case(name, sample(name), tmp_path))


def test_all_sources_are_merged_to_one_table(tmp_path: Path) -> None:
    converted = [convert(name, [sample(name)], tmp_path / name) for name in NAMES]
    stage = normalise_plans.prepare(converted).below(tmp_path)
    mark = run_stage(stage)
    assert {path.source for path in plans(stage.path)} == set(NAMES)
    assert [step.stage for step in mark.steps] == [
        *(f"convert-{name}" for name in NAMES),
        "normalise-plans",
    ]
    statistics_text = (stage.path / "statistics.md").read_text()
    for name in NAMES:
        source = DIALOGUE_SOURCES.find(name)
        assert (
            f"| {name} | {source.title} | {source.licence} | {source.address} |" in statistics_text
        )
