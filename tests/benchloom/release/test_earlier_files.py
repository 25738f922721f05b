"""Tests of table files of an earlier release: they are copied if rows and bytes are unchanged."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchloom.core.records import Shortcut
from benchloom.release.sharding import plan_files, remember_file, with_earlier
from benchloom.release.sharding.shards import ReusedFile
from benchloom.storage.memory import remembering
from benchloom.storage.seals import file_digest
from benchloom.storage.stages import part_path
from benchloom.storage.tables import table_parts, write_table
from tests.support.samples.described import shortcuts

Files = dict[str, bytes]


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """A stage folder with three parts of shortcuts in two splits."""
    for number in range(3):
        write_table(
            "shortcuts", part_rows(number), part_path(tmp_path / "stage", "shortcuts", number)
        )
    return tmp_path / "stage"


def part_rows(number: int) -> Iterator[Shortcut]:
    """Yield the sample shortcuts with the ids and split of a part."""
    for at, row in enumerate(shortcuts()):
        yield msgspec.structs.replace(
            row,
            shortcut_id=f"shortcut:sha256:{number}{at:03d}",
            source_uri=f"{number}/{at:03d}",
            split=("train", "test")[number == 1],
        )


def write_files(
    stage: Path, out: Path, memory: Path, earlier: Path | None = None
) -> tuple[Files, int]:
    """Write the files of the table; return them with the number of copied files."""
    earlier_paths = () if earlier is None else earlier.rglob("*.parquet")
    by_digest = {file_digest(path): path for path in earlier_paths}
    with remembering(memory):
        planned = plan_files([table_parts(stage, "shortcuts")], "shortcuts", out, out / "scratch")
        shards = list(with_earlier(planned, by_digest))
        for shard in shards:
            shard.write()
        for shard in planned:
            remember_file(shard, file_digest(shard.target))
    files = {shard.target.name: shard.target.read_bytes() for shard in shards}
    return files, sum(isinstance(shard, ReusedFile) for shard in shards)


def test_files_with_the_same_rows_are_copied(stage: Path, tmp_path: Path) -> None:
    memory, first_folder = tmp_path / "m", tmp_path / "one"
    first, copied = write_files(stage, first_folder, memory)
    assert (len(first), copied) == (4, 0)
    assert write_files(stage, tmp_path / "two", memory, first_folder) == (first, 4)
    assert write_files(stage, tmp_path / "three", memory) == (first, 0), (
        "no earlier release is there"
    )
    assert write_files(stage, tmp_path / "four", tmp_path / "new", first_folder) == (first, 0)
    write_table("shortcuts", part_rows(3), part_path(stage, "shortcuts", 3))
    second_files, copied = write_files(stage, tmp_path / "five", memory, first_folder)
    assert copied == 2, "those of the test split"
    assert second_files == write_files(stage, tmp_path / "fresh", tmp_path / "new")[0]
    links = {path.stat().st_nlink for path in (tmp_path / "two").rglob("*.parquet")}
    assert links == {1}, "a release is its own"


def test_files_with_changed_rows_are_written_again(stage: Path, tmp_path: Path) -> None:
    write_files(stage, tmp_path / "one", tmp_path / "m")
    rows = [msgspec.structs.replace(row, name="Another") for row in part_rows(1)]
    write_table("shortcuts", rows, part_path(stage, "shortcuts", 1))
    second_files, copied = write_files(stage, tmp_path / "two", tmp_path / "m", tmp_path / "one")
    assert copied == 2, "those of the train split"
    assert second_files == write_files(stage, tmp_path / "fresh", tmp_path / "new")[0]


def test_earlier_file_damaged_before_copying_is_written_again(stage: Path, tmp_path: Path) -> None:
    first, _ = write_files(stage, tmp_path / "one", tmp_path / "m")
    with remembering(tmp_path / "m"):
        parts = [table_parts(stage, "shortcuts")]
        planned = plan_files(parts, "shortcuts", tmp_path / "two", tmp_path / "two" / "scratch")
        by_digest = {file_digest(path): path for path in (tmp_path / "one").rglob("*.parquet")}
        shards = list(with_earlier(planned, by_digest))
        for number, path in enumerate(by_digest.values()):
            content = path.read_bytes()
            path.write_bytes(content[: len(content) // 2] if number % 2 else content[:-1] + b"?")
        for shard in shards:
            assert isinstance(shard, ReusedFile)
            shard.write()
    assert {shard.target.name: shard.target.read_bytes() for shard in shards} == first
