"""Tests of reused shards: a new run reuses unchanged shards of an earlier run, byte for byte."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage.memory import rows
from flows.run.runner import run_stage
from flows.run.stage import AnyStage
from flows.stages.dialogues import convert as convert_dialogues
from tests.support.folders import contents
from tests.support.stages import watch_shards

DEMO = Path(__file__).resolve().parents[4] / "demo" / "sgd"
FIRST = "train/dialogues_001.json"


def prepare_stage(world: Path, root: Path) -> AnyStage:
    """Return the stage that converts the dialogues, one file per shard."""
    return convert_dialogues.prepare("sgd", [world], root, part_bytes=1)


def run_again(world: Path, workspace: Path) -> tuple[AnyStage, list[int]]:
    """Run the stage in a workspace; return it with the numbers of the shards that were made."""
    shard_numbers: list[int] = []
    stage = prepare_stage(world, workspace / "converted")
    run_stage(watch_shards(stage, shard_numbers.append))
    return stage, shard_numbers


def fresh_contents(world: Path, tmp_path: Path) -> dict[str, bytes]:
    """Return the file contents of the stage, made in an empty workspace."""
    stage, shard_numbers = run_again(world, tmp_path / "fresh")
    assert len(shard_numbers) == stage.count
    return contents(stage.path)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Dialogues that a run has converted in the workspace `old`."""
    world = shutil.copytree(DEMO, tmp_path / "world")
    run_again(world, tmp_path / "old")
    return world


def add_file(world: Path) -> None:
    # The new file has the ids of a later file, whose dialogues are then rejected and not reused.
    shutil.copyfile(world / FIRST, world / "train" / "dialogues_000.json")


def change_file(world: Path) -> None:
    (world / FIRST).write_bytes((world / FIRST).read_bytes() + b"\n")


def remove_file(world: Path) -> None:
    (world / "train" / "dialogues_002.json").unlink()


def rename_file(world: Path) -> None:
    (world / FIRST).rename(world / "train" / "dialogues_009.json")


@pytest.mark.parametrize("edit", [add_file, change_file, remove_file, rename_file])
def test_edit_remakes_only_some_shards_with_the_bytes_of_a_fresh_run(
    world: Path, tmp_path: Path, edit: Callable[[Path], object]
) -> None:
    edit(world)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert len(shard_numbers) < new_stage.count
    assert contents(new_stage.path) == fresh_contents(world, tmp_path)


def test_reused_shards_survive_removal_of_the_earlier_folder(world: Path, tmp_path: Path) -> None:
    before = prepare_stage(world, tmp_path / "old" / "converted")
    assert before.complete() is not None
    change_file(world)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert 0 < len(shard_numbers) < new_stage.count
    shutil.rmtree(before.path)
    assert new_stage.complete() is not None


@pytest.mark.parametrize(
    "name", ["planning_paths/planning_paths-0000{}.parquet", "shards/0000{}.json"]
)
def test_damaged_shard_is_made_again(world: Path, tmp_path: Path, name: str) -> None:
    before = prepare_stage(world, tmp_path / "old" / "converted")
    for number in range(before.count):
        path = before.path / name.format(number)
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    change_file(world)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert len(shard_numbers) == new_stage.count
    assert contents(new_stage.path) == fresh_contents(world, tmp_path)


def test_shard_changed_while_copying_is_made_again(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_damaged(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes() + b"?")

    change_file(world)
    monkeypatch.setattr(rows, "_link_file", copy_damaged)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert len(shard_numbers) == new_stage.count
    assert contents(new_stage.path) == fresh_contents(world, tmp_path)


def test_shards_are_copied_if_hard_links_fail(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    change_file(world)
    monkeypatch.setattr(os, "link", refuse)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert 0 < len(shard_numbers) < new_stage.count
    assert contents(new_stage.path) == fresh_contents(world, tmp_path)


def test_changed_code_reuses_no_shard(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for target in (
        "benchloom.storage.code.code_digest",
        "benchloom.storage.memory.store.code_digest",
    ):
        monkeypatch.setattr(target, lambda: "code:sha256:" + "0" * 64)
    new_stage, shard_numbers = run_again(world, tmp_path / "old")
    assert len(shard_numbers) == new_stage.count


@pytest.mark.parametrize(
    ("file_name", "most"), [("test/dialogues_001.json", 1), ("test/schema.json", 99)]
)
def test_shard_keys_depend_on_dialogues_and_schema(
    world: Path, tmp_path: Path, file_name: str, most: int
) -> None:
    def shard_keys() -> list[list[str]]:
        stage = prepare_stage(world, tmp_path / "old" / "converted")
        contents = stage.reads.contents
        assert contents is not None
        return [list(contents(number)) for number in range(stage.count)]

    before = shard_keys()
    # The size of the file is unchanged.
    (world / file_name).write_bytes((world / file_name).read_bytes()[:-1] + b" ")
    after = shard_keys()
    assert len(before) == len(after) > 2
    changed = sum(old_keys != other for old_keys, other in zip(before, after, strict=True))
    assert changed == min(most, len(before))


def test_damaged_shard_in_the_same_folder_is_reported(world: Path, tmp_path: Path) -> None:
    stage = prepare_stage(world, tmp_path / "old" / "converted")
    (stage.path / "stage.json").unlink()
    part = stage.path / "rejected" / "rejected-00000.parquet"
    part.write_bytes(b"x")
    with pytest.raises(RunError, match=r"rejected-00000\.parquet: was changed"):
        run_stage(stage)


def test_shard_without_its_repeated_dialogue_is_not_reused(world: Path, tmp_path: Path) -> None:
    copied_file = world / "train" / "dialogues_999.json"
    copied_file.write_bytes((world / FIRST).read_bytes())
    repeated, _ = run_again(world, tmp_path / "old")
    assert repeated.finish().reasons["repeated_dialogue_id"] > 0
    (world / FIRST).unlink()
    remaining_stage, _ = run_again(world, tmp_path / "old")
    assert contents(remaining_stage.path) == fresh_contents(world, tmp_path)
