"""Shards that an earlier run made stand for those of a new one, byte for byte."""

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


def prepared(world: Path, root: Path) -> AnyStage:
    return convert_dialogues.prepare("sgd", [world], root, part_bytes=1)


def made_again(world: Path, workspace: Path) -> tuple[AnyStage, list[int]]:
    """The stage over the world, run in a workspace, and the shards that were made."""
    shard_numbers: list[int] = []
    stage = prepared(world, workspace / "converted")
    run_stage(watch_shards(stage, shard_numbers.append))
    return stage, shard_numbers


def fresh(world: Path, tmp_path: Path) -> dict[str, bytes]:
    stage, shard_numbers = made_again(world, tmp_path / "fresh")
    assert len(shard_numbers) == stage.count
    return contents(stage.path)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Dialogues that a run has converted in the workspace `old`."""
    world = shutil.copytree(DEMO, tmp_path / "world")
    made_again(world, tmp_path / "old")
    return world


def add(world: Path) -> None:
    # Its ids are those of another file: what stands later is rejected, and never used again.
    shutil.copyfile(world / FIRST, world / "train" / "dialogues_000.json")


def change(world: Path) -> None:
    (world / FIRST).write_bytes((world / FIRST).read_bytes() + b"\n")


def remove(world: Path) -> None:
    (world / "train" / "dialogues_002.json").unlink()


def rename(world: Path) -> None:
    (world / FIRST).rename(world / "train" / "dialogues_009.json")


@pytest.mark.parametrize("edit", [add, change, remove, rename])
def test_what_changed_alone_is_made_and_the_bytes_are_those_of_a_fresh_run(
    world: Path, tmp_path: Path, edit: Callable[[Path], object]
) -> None:
    edit(world)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert len(shard_numbers) < again.count
    assert contents(again.path) == fresh(world, tmp_path)


def test_what_is_as_it_was_is_linked_and_goes_with_neither_folder(
    world: Path, tmp_path: Path
) -> None:
    before = prepared(world, tmp_path / "old" / "converted")
    assert before.complete() is not None
    change(world)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert 0 < len(shard_numbers) < again.count
    shutil.rmtree(before.path)
    assert again.complete() is not None


@pytest.mark.parametrize(
    "name", ["planning_paths/planning_paths-0000{}.parquet", "shards/0000{}.json"]
)
def test_a_damaged_shard_is_made_again(world: Path, tmp_path: Path, name: str) -> None:
    before = prepared(world, tmp_path / "old" / "converted")
    for number in range(before.count):
        path = before.path / name.format(number)
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    change(world)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert len(shard_numbers) == again.count
    assert contents(again.path) == fresh(world, tmp_path)


def test_a_shard_that_arrives_as_other_bytes_is_made_again(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoilt(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes() + b"?")

    change(world)
    monkeypatch.setattr(rows, "_link_file", spoilt)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert len(shard_numbers) == again.count
    assert contents(again.path) == fresh(world, tmp_path)


def test_where_files_cannot_have_two_names_they_are_copied(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    change(world)
    monkeypatch.setattr(os, "link", refuse)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert 0 < len(shard_numbers) < again.count
    assert contents(again.path) == fresh(world, tmp_path)


def test_other_code_uses_nothing(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for target in (
        "benchloom.storage.code.code_digest",
        "benchloom.storage.memory.store.code_digest",
    ):
        monkeypatch.setattr(target, lambda: "code:sha256:" + "0" * 64)
    again, shard_numbers = made_again(world, tmp_path / "old")
    assert len(shard_numbers) == again.count


@pytest.mark.parametrize(
    ("place", "most"), [("test/dialogues_001.json", 1), ("test/schema.json", 99)]
)
def test_bytes_of_dialogues_and_of_the_files_beside_them_decide_shards(
    world: Path, tmp_path: Path, place: str, most: int
) -> None:
    def keys() -> list[list[str]]:
        stage = prepared(world, tmp_path / "old" / "converted")
        contents = stage.reads.contents
        assert contents is not None
        return [list(contents(number)) for number in range(stage.count)]

    before = keys()
    (world / place).write_bytes((world / place).read_bytes()[:-1] + b" ")  # of the same size
    after = keys()
    assert len(before) == len(after) > 2
    changed = sum(old_keys != other for old_keys, other in zip(before, after, strict=True))
    assert changed == min(most, len(before))


def test_a_shard_of_the_own_folder_that_was_damaged_is_named(world: Path, tmp_path: Path) -> None:
    stage = prepared(world, tmp_path / "old" / "converted")
    (stage.path / "stage.json").unlink()
    part = stage.path / "rejected" / "rejected-00000.parquet"
    part.write_bytes(b"x")
    with pytest.raises(RunError, match=r"rejected-00000\.parquet: was changed"):
        run_stage(stage)


def test_a_shard_that_lost_a_repeated_dialogue_stands_for_no_other(
    world: Path, tmp_path: Path
) -> None:
    again = world / "train" / "dialogues_999.json"
    again.write_bytes((world / FIRST).read_bytes())
    repeated, _ = made_again(world, tmp_path / "old")
    assert repeated.finish().reasons["repeated_dialogue_id"] > 0
    (world / FIRST).unlink()
    alone, _ = made_again(world, tmp_path / "old")
    assert contents(alone.path) == fresh(world, tmp_path)
