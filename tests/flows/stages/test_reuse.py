"""Shards that an earlier run made stand for those of a new one, byte for byte."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from benchloom.errors import RunError
from benchloom.sealing import file_digest
from benchloom.stages import ShardMark, write_sealed_mark
from benchloom.workspace import StageMark
from flows.stages import reuse
from flows.stages.dialogues import convert as convert_dialogues
from flows.stages.sharded import ShardedStage, run_stage
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.demo_world import SHORTCUTS

pytestmark = pytest.mark.long

DEMO = Path(__file__).resolve().parents[3] / "demo" / "sgd"

Change = Callable[[Path], object]


class Fresh(NamedTuple):
    """The folder of a run, by name, its mark and its files."""

    name: str
    mark: StageMark
    files: dict[str, str]


def add(world: Path) -> None:
    shutil.copyfile(world / "bread-timer.json", world / "middle-of-all.json")


def add_two(world: Path) -> None:
    add(world)
    (world / "zz").mkdir()
    (world / "zz" / "broken.plist").write_bytes(b"<plist>")


def change(world: Path) -> None:
    (world / "bread-timer.json").write_bytes((world / "bread-timer.json").read_bytes() + b"\n")


def remove(world: Path) -> None:
    (world / "bread-timer.json").unlink()


def rename(world: Path) -> None:
    (world / "bread-timer.json").rename(world / "zz-timer.json")


@pytest.fixture(scope="module")
def made_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a world and what a run has made of it, for copies."""
    folder = tmp_path_factory.mktemp("before")
    world = shutil.copytree(SHORTCUTS, folder / "world")
    run_stage(prepared(world, folder / "old"))
    return folder


@pytest.fixture
def world(made_before: Path, tmp_path: Path) -> Path:
    """The inputs; beside them lies `old`, where a run has read them."""
    return shutil.copytree(made_before, tmp_path, dirs_exist_ok=True) / "world"


@pytest.fixture(scope="module")
def fresh(made_before: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Change], Fresh]:
    """What a run that finds nothing made before makes of an edited world, once for each edit."""

    @cache
    def made(edit: Change) -> Fresh:
        folder = tmp_path_factory.mktemp("fresh")
        world = shutil.copytree(made_before / "world", folder / "world")
        edit(world)
        stage = prepared(world, folder / "fresh")
        mark = run_stage(stage)
        return Fresh(stage.folder.name, mark, content(stage.folder))

    return made


def prepared(world: Path, root: Path) -> ShardedStage:
    return parse_shortcuts.prepare([world], root, shard_bytes=8_000)


def counted(stage: ShardedStage, made: list[int]) -> ShardedStage:
    """The stage, which notes the shards that it makes anew."""

    def work(number: int) -> ShardMark:
        made.append(number)
        return stage.work(number)

    return replace(stage, work=work)


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): file_digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("edit", [add, add_two, change, remove, rename])
def test_what_changed_alone_is_parsed_and_the_bytes_are_those_of_a_fresh_run(
    world: Path, tmp_path: Path, fresh: Callable[[Change], Fresh], edit: Change
) -> None:
    first = prepared(world, tmp_path / "old")
    assert first.complete() is not None
    edit(world)
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) <= 4 < again.count // 2
    assert again.folder.name == fresh(edit).name != first.folder.name
    assert content(again.folder) == fresh(edit).files


def test_what_was_made_before_goes_with_neither_folder(world: Path, tmp_path: Path) -> None:
    first = prepared(world, tmp_path / "old")
    add(world)
    again = prepared(world, tmp_path / "old")
    run_stage(again)
    shutil.rmtree(first.folder)
    assert again.complete() is not None


def test_a_damaged_shard_is_made_again(
    world: Path, tmp_path: Path, fresh: Callable[[Change], Fresh]
) -> None:
    first = prepared(world, tmp_path / "old")
    for part in sorted((first.folder / "shortcuts").iterdir())[:3]:
        part.write_bytes(part.read_bytes()[:-1] + b"?")
    (first.folder / "shards" / "00004.json").write_bytes(b"{}")
    add(world)
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) >= 4
    assert content(again.folder) == fresh(add).files


def test_a_shard_that_arrives_as_other_bytes_is_made_again(
    world: Path, tmp_path: Path, fresh: Callable[[Change], Fresh], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(world)

    def spoilt(source: Path, target: Path) -> None:
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(source.read_bytes() + b"?")

    monkeypatch.setattr(reuse, "_link_file", spoilt)
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) == again.count
    assert content(again.folder) == fresh(add).files


@pytest.mark.parametrize(
    ("place", "most"), [("test/dialogues_001.json", 1), ("test/schema.json", 99)]
)
def test_bytes_of_dialogues_and_of_what_lies_beside_them_decide_shards(
    tmp_path: Path, place: str, most: int
) -> None:
    world = shutil.copytree(DEMO, tmp_path / "world")

    def keys() -> list[str]:
        stage = convert_dialogues.prepare("sgd", [world], tmp_path / "old", shard_bytes=1)
        assert stage.keys is not None
        return list(stage.keys())

    before = keys()
    (world / place).write_bytes((world / place).read_bytes()[:-1] + b" ")  # of the same size
    after = keys()
    assert len(before) == len(after) > 2
    changed = sum(one != other for one, other in zip(before, after, strict=True))
    assert changed == min(most, len(before))


@pytest.mark.parametrize("noted", [b"", b"{}", b"[1]", b"\xff", b'["a"]'])
def test_keys_that_cannot_be_read_cost_the_shards_alone(
    world: Path, tmp_path: Path, noted: bytes
) -> None:
    first = prepared(world, tmp_path / "old")
    (first.folder / "shards" / "keys.json").write_bytes(noted)
    add(world)
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) == again.count


def test_other_code_uses_nothing(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prepared(world, tmp_path / "old").complete() is not None
    monkeypatch.setattr(
        parse_shortcuts, "CODE", msgspec.structs.replace(parse_shortcuts.CODE, stage="other")
    )
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) == again.count


def test_a_run_that_was_cut_off_goes_on_with_what_was_linked(
    world: Path, tmp_path: Path, fresh: Callable[[Change], Fresh], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(world)
    again = prepared(world, tmp_path / "old")
    with monkeypatch.context() as patched:
        patched.setattr(reuse, "write_sealed_mark", partial(full, [0, 0, 0]))
        with pytest.raises(OSError, match="No space"):
            run_stage(again)
    mark = run_stage(again)
    assert mark == fresh(add).mark
    assert content(again.folder) == fresh(add).files


def full(left: list[int], folder: Path, mark: ShardMark) -> None:
    """A disk on which there is room for a few marks."""
    if not left:
        raise OSError(28, "No space left on device", str(folder))
    left.pop()
    write_sealed_mark(folder, mark)


def test_where_files_cannot_have_two_names_they_are_copied(
    world: Path, tmp_path: Path, fresh: Callable[[Change], Fresh], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(world)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    made: list[int] = []
    again = prepared(world, tmp_path / "old")
    run_stage(counted(again, made))
    assert len(made) <= 2
    assert content(again.folder) == fresh(add).files


def test_dialogues_of_another_file_leave_the_others_as_they_are(tmp_path: Path) -> None:
    world = shutil.copytree(DEMO, tmp_path / "world")
    first = convert_dialogues.prepare("sgd", [world], tmp_path / "old", shard_bytes=1)
    run_stage(first)
    # Its ids are those of another file: what stands later is rejected, and never used again.
    shutil.copyfile(world / "train" / "dialogues_001.json", world / "train" / "dialogues_000.json")
    for root, most in (("old", 4), ("fresh", 99)):
        made: list[int] = []
        stage = convert_dialogues.prepare("sgd", [world], tmp_path / root, shard_bytes=1)
        run_stage(counted(stage, made))
        assert len(made) <= most
    name = stage.folder.name
    assert content(tmp_path / "old" / name) == content(tmp_path / "fresh" / name)
    (world / "train" / "dialogues_000.json").unlink()
    back = convert_dialogues.prepare("sgd", [world], tmp_path / "fresh", shard_bytes=1)
    run_stage(back)
    assert content(back.folder) == content(first.folder)


def test_a_shard_of_the_own_folder_that_was_damaged_is_named(world: Path, tmp_path: Path) -> None:
    stage = prepared(world, tmp_path / "old")
    (stage.folder / "stage.json").unlink()
    part = stage.folder / "rejected" / "rejected-00000.parquet"
    part.write_bytes(b"x")
    with pytest.raises(RunError, match=r"rejected-00000\.parquet: changed"):
        run_stage(stage)
