"""Check every source of dialogues through one suite, with a hand-made sample of each source."""

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
    """A source, its sample, and a folder to work in."""

    name: str
    sample: Path
    work: Path

    def copy(self) -> Path:
        """Copy the sample into the working folder, so that a test can change it."""
        return Path(shutil.copytree(self.sample, self.work / "world"))


def read_plans(folder: Path) -> list[PlanningPath]:
    return list(iter_records(folder, "planning_paths", PlanningPath))


def read_rejected(folder: Path) -> list[Rejected]:
    return list(iter_records(folder, "rejected", Rejected))


def count_dialogues(path: Path) -> int:
    """Return the number of dialogues in a file of the sample."""
    return path.read_bytes().count(b'"dialogue_id"')


def test_dialogue_sources_include_sgd_and_multiwoz() -> None:
    assert {"multiwoz", "sgd"} <= set(NAMES)
    with pytest.raises(UnknownMemberError, match="did you mean 'multiwoz'"):
        DIALOGUE_SOURCES.find("multiwiz")


def describes_itself(case: Case) -> None:
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
        paths = read_plans(out / mode)
        assert len(paths) == sum(map(count_dialogues, dialogue_files(case.sample)))
        assert read_rejected(out / mode) == []
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
    flow_paths = [path for path in read_plans(out / "flow") if path.edges]
    assert flow_paths, "a sample has plans with data flow"


def parse_dialogues(text: str) -> list[dict[str, Any]]:
    """Parse the dialogues of a sample file: a list, or one object per line."""
    dialogues: list[dict[str, Any]] = (
        json.loads(text) if text.startswith("[") else list(map(json.loads, text.splitlines()))
    )
    return dialogues


def keeps_utterances_of_users(case: Case) -> None:
    """Check the users' utterances and their licence against the sample's files."""
    source = DIALOGUE_SOURCES.find(case.name)
    out = case.work / "out"
    convert(case.name, [case.sample], out)
    rows = list(iter_records(out, "dialogues", Dialogue))
    assert [(row.source_id, row.source_uri, row.path_id) for row in rows] == [
        (path.source_id, path.source_uri, path.path_id) for path in read_plans(out)
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
        for dialogue in parse_dialogues(file.read_text())
    }
    assert {
        (Path(row.source_uri).name, row.source_id): [
            (utterance.turn, utterance.text) for utterance in row.utterances
        ]
        for row in rows
    } == user_turns
    assert all(user_turns.values())


def is_written_in_every_line_format(case: Case) -> None:
    for word in FORMATS.only(LineFormat):
        out = case.work / word
        mark = convert(case.name, [case.sample], out, ConversionOptions(format=word))
        lines = (out / f"planning_paths.{word}.jsonl").read_bytes().splitlines()
        assert len(lines) == mark.rows["planning_paths"]
        assert all(isinstance(json.loads(line), dict) for line in lines)


def gives_equal_plans_from_shards_and_archives(case: Case) -> None:
    world = case.copy()
    convert(case.name, [world], case.work / "one")
    convert(case.name, [world], case.work / "two")
    for table in TABLES:
        file = f"{table}.parquet"
        assert (case.work / "one" / file).read_bytes() == (case.work / "two" / file).read_bytes()
    stage = prepare(case.name, [world], case.work / "stages", part_bytes=1)
    assert stage.count > 1
    run_stage(stage)
    assert read_plans(stage.path) == read_plans(case.work / "one")
    with zipfile.ZipFile(case.work / "world.zip", "w") as archive:
        for member in sorted(world.rglob("*.json")):
            archive.write(member, f"top/{member.relative_to(world).as_posix()}")
    convert(case.name, [case.work / "world.zip"], case.work / "zip")
    assert [(p.path_id, p.split, p.steps, p.edges) for p in read_plans(case.work / "zip")] == [
        (p.path_id, p.split, p.steps, p.edges) for p in read_plans(case.work / "one")
    ]


def rejects_repeated_ids_in_a_split(case: Case) -> None:
    world = case.copy()
    first = dialogue_files(world)[0]
    shutil.copyfile(first, first.with_name("dialogues_999.json"))
    mark = convert(case.name, [world], case.work / "out")
    assert mark.reasons == {"repeated_dialogue_id": count_dialogues(first)}


def finds_the_schema_beside_a_single_file(case: Case) -> None:
    for file in dialogue_files(case.sample):
        out = case.work / file.parent.name / file.stem
        mark = convert(case.name, [file], out)
        assert (mark.rows["planning_paths"], mark.reasons) == (count_dialogues(file), {})
        assert {path.source_split for path in read_plans(out)} == {file.parent.name}


def keeps_a_row_for_every_damaged_dialogue(case: Case) -> None:
    """Check that cut and garbled files lose no dialogue: each is a plan or a rejected row."""
    world = case.copy()
    chance = random.Random(case.name)
    files = sorted(world.rglob("*.json"))
    original_data = {file: file.read_bytes() for file in files}
    for turn in range(12):
        file = files[turn % len(files)]
        data = bytearray(original_data[file])
        if turn % 2:
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.randint(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(bytes(data))
        mark = convert(case.name, [world], case.work / f"out-{turn}")
        rows = read_rejected(case.work / f"out-{turn}")
        assert mark.objects == mark.rows["planning_paths"] + len(rows)
        assert all(row.reason and row.source_uri for row in rows)
        file.write_bytes(original_data[file])


def rejects_every_dialogue_without_a_schema(case: Case) -> None:
    world = case.copy()
    for schema in world.rglob("schema.json"):
        schema.unlink()
    mark = convert(case.name, [world], case.work / "out")
    dialogue_count = sum(map(count_dialogues, dialogue_files(world)))
    assert (mark.rows["planning_paths"], mark.reasons) == (0, {"missing_schema": dialogue_count})


def refuses_modes_and_variants_it_lacks(case: Case) -> None:
    source = DIALOGUE_SOURCES.find(case.name)
    wrong = [] if "name" in source.modes else [ConversionOptions(mode="name")]
    for options in (*wrong, ConversionOptions(variant="v9")):
        with pytest.raises(RunError):
            convert(case.name, [case.sample], case.work / "out", options)
    assert not (case.work / "out").exists()


SUITE: tuple[Callable[[Case], None], ...] = (
    describes_itself,
    makes_plans_that_join_their_definitions,
    keeps_utterances_of_users,
    is_written_in_every_line_format,
    gives_equal_plans_from_shards_and_archives,
    rejects_repeated_ids_in_a_split,
    finds_the_schema_beside_a_single_file,
    keeps_a_row_for_every_damaged_dialogue,
    rejects_every_dialogue_without_a_schema,
    refuses_modes_and_variants_it_lacks,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("claim", SUITE, ids=lambda claim: claim.__name__)
def test_dialogue_source(claim: Callable[[Case], None], name: str, tmp_path: Path) -> None:
    claim(Case(name, sample(name), tmp_path))


def test_all_sources_are_merged_into_one_table(tmp_path: Path) -> None:
    converted = [convert(name, [sample(name)], tmp_path / name) for name in NAMES]
    stage = normalise_plans.prepare(converted).below(tmp_path)
    mark = run_stage(stage)
    assert {path.source for path in read_plans(stage.path)} == set(NAMES)
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
