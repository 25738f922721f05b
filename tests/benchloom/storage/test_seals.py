"""Tests of sealed stages: every damaged file is reported with the command that makes it again."""

import os
import random
import shutil
import time
from pathlib import Path
from typing import NoReturn

import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected
from benchloom.storage import seals
from benchloom.storage.seals import file_digest, first_bytes, renaming
from benchloom.storage.stages import (
    SHARDS,
    ShardMark,
    finish_stage,
    part_path,
    read_shard_mark,
    write_shard_mark,
)
from benchloom.storage.tables import iter_records, open_parquet, read_rows, write_table
from benchloom.storage.workspace import STAGE_FILE, StageMark, stage_folder, valid_mark, write_mark
from tests.fuzz.damages import DAMAGES, Damage, flip

STAGE = "parse-shortcuts"


def write_shard(folder: Path, number: int, rows: int = 50) -> None:
    """Write a shard of the table `rejected` and its mark."""
    records = [Rejected("parse", f"file-{number}-{row}", "broken", "x" * 40) for row in range(rows)]
    write_table("rejected", records, part_path(folder, "rejected", number))
    mark = ShardMark(number=number, objects=rows, rows={"rejected": rows}, reasons={"broken": rows})
    write_shard_mark(folder, mark)


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """A finished stage of three shards and a statistics file."""
    folder = tmp_path / "rejected-0123456789abcdef"
    for number in range(3):
        write_shard(folder, number)
    (folder / "statistics.md").write_text("| a | b |\n")
    finish_stage(folder, STAGE, "key", 3)
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("seed", range(3))
def test_damaged_file_is_reported_with_the_remedy(stage: Path, damage: Damage, seed: int) -> None:
    chance = random.Random(seed)
    files = sorted(path for path in stage.rglob("*") if path.is_file() and path.name != STAGE_FILE)
    damage(chance, stage, chance.choice(files))
    with pytest.raises(RunError, match=r"remove .* and run 'benchloom rebuild' again"):
        valid_mark(stage)


@pytest.mark.parametrize("seed", range(20))
def test_changed_stage_mark_is_refused(stage: Path, seed: int) -> None:
    flip(random.Random(seed), stage, stage / STAGE_FILE)
    with pytest.raises(RunError, match="remove"):
        valid_mark(stage)


def test_linked_mark_is_refused(stage: Path) -> None:
    for mark in (stage / SHARDS / "00001.json", stage / STAGE_FILE):
        moved = stage.parent / mark.name
        mark.rename(moved)
        mark.symlink_to(moved)
        with pytest.raises(RunError, match="a link, not a file"):
            valid_mark(stage)
        if mark.name != STAGE_FILE:
            with pytest.raises(RunError, match="a link, not a file"):
                read_shard_mark(stage, 1)


def test_mark_that_is_a_pipe_is_refused_without_reading(stage: Path) -> None:
    for mark in (stage / SHARDS / "00001.json", stage / STAGE_FILE):
        mark.unlink()
        os.mkfifo(mark)
        with pytest.raises(RunError, match=r"a special file, not a file|did not write"):
            valid_mark(stage)
    with pytest.raises(RunError, match="a special file, not a file"):
        read_shard_mark(stage, 1)


def test_exchanged_parts_are_reported(stage: Path) -> None:
    first_part, second_part = part_path(stage, "rejected", 0), part_path(stage, "rejected", 1)
    original_bytes = first_part.read_bytes()
    first_part.write_bytes(second_part.read_bytes())
    second_part.write_bytes(original_bytes)
    with pytest.raises(RunError, match=r"rejected-00000\.parquet: was changed"):
        valid_mark(stage)


def test_missing_mark_is_written_again_with_the_same_bytes(stage: Path) -> None:
    before = (stage / STAGE_FILE).read_bytes()
    (stage / STAGE_FILE).unlink()
    finish_stage(stage, STAGE, "key", 3)
    assert (stage / STAGE_FILE).read_bytes() == before


def test_changed_shards_of_an_unfinished_stage_are_refused(stage: Path) -> None:
    (stage / STAGE_FILE).unlink()
    flip(random.Random(0), stage, part_path(stage, "rejected", 1))
    with pytest.raises(RunError, match=r"rejected-00001\.parquet: was changed"):
        read_shard_mark(stage, 1)
    write_shard(stage, 1)
    flip(random.Random(1), stage, stage / SHARDS / "00002.json")
    with pytest.raises(RunError, match=r"00002\.json"):
        finish_stage(stage, STAGE, "key", 3)


def test_part_that_no_shard_wrote_is_refused(stage: Path) -> None:
    (stage / STAGE_FILE).unlink()
    shutil.copyfile(part_path(stage, "rejected", 0), part_path(stage, "rejected", 7))
    with pytest.raises(RunError, match="not written by a shard"):
        finish_stage(stage, STAGE, "key", 3)


def test_error_for_a_user_folder_has_the_command_of_its_stage(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with stage_folder(out, STAGE) as folder:
        write_table("rejected", [], folder / "rejected.parquet")
        write_mark(folder, StageMark(stage=STAGE, key="k", objects=0, rows={}))
    (out / "rejected.parquet").unlink()
    with pytest.raises(RunError, match="run 'benchloom parse shortcuts' again"):
        valid_mark(out)


def test_earlier_files_in_the_folder_are_not_part_of_the_stage(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for content in ("one", "two"):
        with stage_folder(tmp_path, STAGE) as folder:
            (folder / f"{content}.md").write_text(content)
            write_mark(folder, StageMark(stage=STAGE, key="k", objects=0, rows={}))
    (tmp_path / "notes.txt").write_text("changed")
    mark = valid_mark(tmp_path)
    assert mark is not None
    assert mark.others == ("notes.txt",)
    assert not (tmp_path / "one.md").exists()


def test_flipped_bit_in_a_page_is_refused_by_its_checksum(tmp_path: Path) -> None:
    path = tmp_path / "rejected.parquet"
    write_table("rejected", [Rejected("parse", f"{n}", "broken", "y") for n in range(500)], path)
    sound = path.read_bytes()
    column_chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    at = column_chunk.data_page_offset + column_chunk.total_compressed_size - 5
    path.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
    with pytest.raises(RunError, match=r"rejected\.parquet is not a readable Parquet file"):
        read_rows(path)
    with pytest.raises(RunError, match="not a readable Parquet file"):
        list(iter_records(tmp_path, "rejected", Rejected))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1", b"text"])
def test_file_that_is_not_parquet_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rejected.parquet"
    path.write_bytes(content)
    with pytest.raises(RunError, match="not a readable Parquet file"), open_parquet(path):
        pass


def test_file_with_other_columns_is_refused(tmp_path: Path) -> None:
    write_table("rejected", [Rejected("a", "b", "c", "d")], tmp_path / "conflicts.parquet")
    path = tmp_path / "conflicts.parquet"
    with (
        pytest.raises(RunError, match="its columns are not those of"),
        open_parquet(path, "conflicts"),
    ):
        pass
    with pytest.raises(RunError, match="lacks the columns nothing"):
        read_rows(path, ["nothing"])


def test_leftovers_of_a_killed_writer_are_not_part_of_the_stage(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / "rejected").mkdir(parents=True)
    write_table("rejected", (), folder / "rejected" / "rejected-00000.parquet")
    for target_folder in (folder, folder / "rejected"):
        (target_folder / ".tmp-4000000@elsewhere-1-rejected-00000.parquet").write_bytes(b"half")
    mark = write_mark(folder, StageMark(stage=STAGE, key="key", objects=0, rows={"rejected": 0}))
    assert [file.path for file in mark.files] == ["rejected/rejected-00000.parquet"]
    assert valid_mark(folder) == mark
    for path in folder.rglob(".tmp-*"):
        path.unlink()
    assert valid_mark(folder) == mark


def test_hard_link_shares_the_known_digest_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "_SETTLED_NS", -(10**12))  # the new files are treated as old ones
    first_path, second_path = tmp_path / "one", tmp_path / "two"
    first_path.write_bytes(b"a walk")
    digest = file_digest(first_path)
    with renaming(first_path, second_path):
        second_path.hardlink_to(first_path)
    monkeypatch.setattr("hashlib.sha256", fail_if_called)
    assert file_digest(second_path) == digest
    monkeypatch.undo()
    time.sleep(0.02)  # longer than one tick of file times
    second_path.write_bytes(b"a talk")
    assert file_digest(second_path) != digest
    assert file_digest(first_path) == file_digest(second_path)


def test_copy_with_other_bytes_has_another_digest(tmp_path: Path) -> None:
    first_path, second_path = tmp_path / "one", tmp_path / "two"
    first_path.write_bytes(b"a walk")
    digest = file_digest(first_path)
    with renaming(first_path, second_path):
        second_path.write_bytes(b"a talk")
    assert file_digest(second_path) != digest


def fail_if_called(*_: object) -> NoReturn:
    raise AssertionError


def test_first_bytes_are_cached_with_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seals, "_SETTLED_NS", -1)
    path = tmp_path / "file"
    for content in (b"PK\x03\x04 and more", b"ab", b"", b"bplist00"):
        path.write_bytes(content)
        assert seals.first_bytes(str(path)) == content[:4]
        seals.file_digest(path)
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", None)
            assert seals.first_bytes(str(path)) == content[:4]
    path.unlink()
    with pytest.raises(OSError, match="No such file"):
        seals.first_bytes(str(path))


def test_pipe_or_folder_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        for read in (file_digest, lambda path: first_bytes(str(path))):
            with pytest.raises(OSError, match="Not a file"):
                read(path)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "file").write_bytes(b"what")
    assert file_digest(tmp_path / "link") == file_digest(tmp_path / "file")
