"""Files of tables that an earlier release was made of are taken over, if they are sound."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchloom.records import Shortcut
from benchloom.release.sharding import keeping_files, kept_files, plan_files
from benchloom.release.sharding.shards import Again, Taken
from benchloom.sealing import file_digest
from benchloom.stages import part_path
from benchloom.tables import table_parts, write_table
from tests.support.samples.described import shortcuts


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """Three parts of shortcuts in two splits."""
    for number in range(3):
        write_table("shortcuts", made(number), part_path(tmp_path / "stage", "shortcuts", number))
    return tmp_path / "stage"


def made(number: int) -> Iterator[Shortcut]:
    for at, row in enumerate(shortcuts()):
        yield msgspec.structs.replace(
            row,
            shortcut_id=f"shortcut:sha256:{number}{at:03d}",
            source_uri=f"{number}/{at:03d}",
            split=("train", "test")[number == 1],
        )


def write(stage: Path, out: Path, store: Path) -> tuple[dict[str, bytes], int]:
    """The files of the table, and how many of them were taken over."""
    with keeping_files(store):
        parts = table_parts(stage, "shortcuts")
        planned = plan_files([parts], "shortcuts", out, out / "scratch")
        shards = [kept_files().again(shard) for shard in planned]
        for shard in shards:
            shard.write()
        kept_files().keep([(shard.target, file_digest(shard.target)) for shard in shards])
    files = {shard.target.name: shard.target.read_bytes() for shard in shards}
    return files, sum(isinstance(shard, Again) for shard in shards)


def test_files_of_the_same_rows_are_taken_over(stage: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first, taken = write(stage, tmp_path / "one", store)
    assert (len(first), taken) == (4, 0)
    shutil.rmtree(tmp_path / "one")
    assert write(stage, tmp_path / "two", store) == (first, 4)
    write_table("shortcuts", made(3), part_path(stage, "shortcuts", 3))
    again, taken = write(stage, tmp_path / "three", store)
    assert taken == 2, "those of the test split"
    assert again == write(stage, tmp_path / "fresh", tmp_path / "other")[0]
    assert len(list(store.iterdir())) == 4, "what was not used is forgotten"


def test_other_rows_at_the_same_places_are_others(stage: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(stage, tmp_path / "one", store)
    rows = [msgspec.structs.replace(row, name="Another") for row in made(1)]
    write_table("shortcuts", rows, part_path(stage, "shortcuts", 1))
    again, taken = write(stage, tmp_path / "two", store)
    assert taken == 2, "those of the train split"
    assert again == write(stage, tmp_path / "fresh", tmp_path / "other")[0]


def test_a_damaged_file_is_written_again(stage: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first, _ = write(stage, tmp_path / "one", store)
    assert all(path.stat().st_nlink == 1 for path in store.iterdir()), "a release is its own"
    shutil.rmtree(tmp_path / "one")
    for number, path in enumerate(sorted(store.iterdir())):
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2] if number % 2 else content[:-1] + b"?")
    assert write(stage, tmp_path / "two", store)[0] == first
    shutil.rmtree(tmp_path / "two")
    assert write(stage, tmp_path / "three", store) == (first, 4)
    assert {file_digest(path) for path in store.iterdir()} == {
        path.stem.partition("-")[2] for path in store.iterdir()
    }


def test_without_a_store_nothing_is_kept(stage: Path, tmp_path: Path) -> None:
    parts = table_parts(stage, "shortcuts")
    shards = plan_files([parts], "shortcuts", tmp_path / "out", tmp_path / "scratch")
    assert all(isinstance(kept_files().again(shard), Taken) for shard in shards)
    kept_files().keep([(tmp_path / "nothing", "")])
    assert not (tmp_path / "nothing").exists()
