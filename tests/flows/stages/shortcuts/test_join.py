"""Check that joining in shards gives the same rows as in one shard, also after kills."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.normalise.definitions import DefinitionIndex
from benchloom.normalise.definitions.control_definitions import load_index
from benchloom.release import read_manifest
from benchloom.storage.stages import part_path, read_shard_mark
from benchloom.storage.tables import iter_records, read_rows, table_parts, write_table
from benchloom.storage.workspace import read_mark, write_mark
from flows.run.finished import FinishedStage, open_stage
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.definitions.normalise import prepare as prepare_catalogue
from flows.stages.definitions.parse import prepare as prepare_definitions
from flows.stages.release import release_stages
from flows.stages.shortcuts import join
from flows.stages.shortcuts.join import prepare
from tests.support.demo_world import SHORTCUTS
from tests.support.folders import contents
from tests.support.samples.definitions import toolkit_database
from tests.support.shortcut_stages import enrich

DEFINITIONS = SHORTCUTS.parent / "definitions"

Inputs = tuple[FinishedStage, FinishedStage]


def make_inputs(folder: Path) -> Inputs:
    """Return enriched shortcuts of the demo world and the catalogue of its definitions."""
    enriched = enrich([SHORTCUTS], folder)
    defined = run_stage(prepare_definitions([DEFINITIONS], folder))
    catalogue = run_stage(prepare_catalogue([defined]), folder)
    return open_stage(enriched.path), catalogue


@pytest.fixture(scope="module")
def single_file_inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Return the inputs with all shortcuts in one file."""
    return make_inputs(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def split_inputs(single_file_inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Return the inputs with the same shortcuts in several files."""
    (enriched, catalogue), folder = single_file_inputs, single_file_inputs[0].path
    split = shutil.copytree(folder, tmp_path_factory.mktemp("many") / folder.name)
    (part,) = table_parts(split, "shortcuts")
    rows = list(iter_records(split, "shortcuts", Shortcut))
    part.unlink()
    for number, start in enumerate(range(0, len(rows), 9)):
        write_table("shortcuts", rows[start : start + 9], part_path(split, "shortcuts", number))
    return FinishedStage(split, write_mark(split, replace(enriched.record, seal=""))), catalogue


def join_stage(inputs: Inputs, folder: Path) -> AnyStage:
    return prepare(*inputs, folder / "apps.toml").below(folder)


def test_several_shards_give_the_rows_of_one_shard(
    single_file_inputs: Inputs,
    split_inputs: Inputs,
    tmp_path: Path,
) -> None:
    single, shards = (
        join_stage(single_file_inputs, tmp_path / "one"),
        join_stage(split_inputs, tmp_path / "many"),
    )
    assert (single.count, shards.count) == (1, len(table_parts(split_inputs[0].path, "shortcuts")))
    assert shards.count > 3
    marks = run_stage(single), run_stage(shards, workers=2)
    assert marks[0].rows == marks[1].rows
    assert marks[0].objects == marks[1].objects
    assert marks[0].reasons == marks[1].reasons != {}
    for table in ("apps", "definition_checks", "rejected", "shortcuts"):
        rows = [
            sorted(
                str(row)
                for part in table_parts(joined_stage.path, table)
                for row in read_rows(part).to_pylist()
            )
            for joined_stage in (single, shards)
        ]
        assert rows[0] == rows[1] != []
    releases = [release_stages([s.path], s.path.parents[1] / "releases") for s in (single, shards)]
    files = [
        sorted(path.relative_to(release) for path in release.rglob("*.parquet"))
        for release in releases
    ]
    assert files[0] == files[1]
    for path in files[0]:
        rows_of_single, rows_of_shards = (read_rows(release / path) for release in releases)
        assert rows_of_single.equals(rows_of_shards), path


def test_killed_join_continues_with_the_missing_shards(
    split_inputs: Inputs, tmp_path: Path
) -> None:
    undisturbed, interrupted = (
        join_stage(split_inputs, tmp_path / "whole"),
        join_stage(split_inputs, tmp_path / "cut"),
    )
    run_stage(undisturbed)
    last = interrupted.missing()[-1]
    interrupted.shard_work()(last)
    before = read_shard_mark(interrupted.path, last)
    for number in interrupted.missing():
        interrupted.shard_work()(number)
    assert read_mark(interrupted.path) is None
    resumed = join_stage(split_inputs, tmp_path / "cut")
    assert resumed.missing() == []
    run_stage(resumed)
    assert read_shard_mark(interrupted.path, last) == before
    assert contents(undisturbed.path) == contents(interrupted.path)


def test_definitions_are_read_once_for_all_shards(
    split_inputs: Inputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    def record_folder(folder: Path) -> DefinitionIndex:
        folders.append(folder)
        return load_index(folder)

    monkeypatch.setattr(join, "load_index", record_folder)
    join._index.cache_clear()  # may be filled by another test
    run_stage(join_stage(split_inputs, tmp_path))
    assert folders == [split_inputs[1].path]


def test_control_actions_of_a_toolkit_are_defined_once(tmp_path: Path) -> None:
    database = tmp_path / "Tools-active.sqlite"
    database.write_bytes(toolkit_database())
    enriched = enrich([SHORTCUTS / "tip-for-the-waiter.shortcut"], tmp_path)
    defined = run_stage(prepare_definitions([database], tmp_path))
    catalogue = run_stage(prepare_catalogue([defined]), tmp_path)
    joined = join_stage((open_stage(enriched.path), catalogue), tmp_path / "joined")
    run_stage(joined)
    rows = [
        (row.api, row.definition_id)
        for row in iter_records(joined.path, "api_definitions", ApiDefinition)
    ]
    assert rows == sorted(set(rows))
    assert [api for api, _ in rows if api.endswith(("conditional", "choosefrommenu"))] == [
        "is.workflow.actions.choosefrommenu",
        "is.workflow.actions.conditional",
    ]
    release = release_stages([joined.path], tmp_path / "releases")
    assert read_manifest(release).tables()["api_definitions"] == len(rows)
