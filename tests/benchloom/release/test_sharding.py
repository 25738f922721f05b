"""Tests of sharding: released files are sorted, cut at a size, and depend only on the rows."""

import random
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from benchloom.core.records import Rejected, Shortcut
from benchloom.release import ReleaseTable, build_release, check_release, read_manifest, sharding
from benchloom.release.sharding import (
    MAX_FILES,
    SHARD_BYTES,
    cuts,
    drawn_by,
    plan_files,
    shards,
)
from benchloom.storage.stages import part_path
from benchloom.storage.tables import (
    FileSet,
    OpenPart,
    load_table,
    read_rows,
    set_file,
    table_parts,
    write_table,
)
from benchloom.storage.workspace import StageMark
from tests.support.samples.described import shortcuts

ROWS = 25_000
SHARD = 8_000


def rejected_rows() -> list[Rejected]:
    """Return many rows of the table `rejected`, sorted by source URI."""
    return [
        Rejected("parse", f"file-{number:06d}", "not_a_shortcut", "no actions", None)
        for number in range(ROWS)
    ]


def write_parts(folder: Path, rows: list[Rejected], count: int) -> list[Path]:
    """Write rows to so many parts of a stage and return their paths."""
    step = -(-len(rows) // count)
    parts = [part_path(folder, "rejected", number) for number in range(count)]
    for number, part in enumerate(parts):
        write_table("rejected", rows[number * step : (number + 1) * step], part)
    return parts


def write_shards(
    stages: list[list[Path]], name: str, folder: Path, shard_bytes: int = SHARD_BYTES
) -> list[Path]:
    """Write the files of a table and return their paths."""
    planned = plan_files(stages, name, folder, folder / "scratch", shard_bytes)
    for shard in planned:
        shard.write()
    return [shard.target for shard in planned]


def content(files: list[Path]) -> pa.Table:
    """Return the rows of all files as one table."""
    return pa.concat_tables([read_rows(file) for file in files])


def test_drawn_numbers_are_independent_of_the_batch_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = load_table("rejected")
    rows = [
        msgspec.structs.replace(row, digest=f"file:{number}")
        for number, row in enumerate(rejected_rows())
    ]
    keys = [read_rows(part) for part in write_parts(tmp_path, rows, 3)]
    drawn = drawn_by(keys, table)
    assert len(set(drawn.tolist())) > ROWS - 10
    monkeypatch.setattr(sharding, "_AT_ONCE", 700)
    assert drawn_by(keys, table).tolist() == drawn.tolist()
    assert drawn_by([], table).tolist() == []


def test_files_are_independent_of_the_rows_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rejected_rows()
    random.Random(3).shuffle(rows)
    parts = write_parts(tmp_path / "stage", rows, 3)
    groups_read: list[int] = []
    original_rows = OpenPart.rows

    def record_rows(part: OpenPart, group: int) -> pa.Table:
        groups_read.append(group)
        return original_rows(part, group)

    monkeypatch.setattr(OpenPart, "rows", record_rows)
    first_files = write_shards([parts], "rejected", tmp_path / "one")
    at_once = len(groups_read)
    monkeypatch.setattr(shards, "_AT_ONCE_BYTES", 1)
    other = write_shards([parts], "rejected", tmp_path / "other")
    assert [file.read_bytes() for file in first_files] == [file.read_bytes() for file in other]
    # The first row group of a file is read alone, all others together.
    assert at_once < len(groups_read) - at_once


def test_large_part_is_cut_at_row_groups(tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "stage", rejected_rows(), 1)
    files = write_shards([parts], "rejected", tmp_path / "out", SHARD)
    assert len(files) > 1
    assert [file.name for file in files] == sorted(file.name for file in files)
    assert content(files).equals(content(parts))
    assert all(file.stat().st_size <= 3 * SHARD for file in files)
    column = pq.read_metadata(files[0]).row_group(0).column(1)
    assert column.compression == "ZSTD"
    assert column.statistics.min == "file-000000"


def test_part_of_suitable_size_is_copied_unchanged(tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "stage", rejected_rows(), 1)
    (file,) = write_shards([parts], "rejected", tmp_path / "out")
    assert file.read_bytes() == parts[0].read_bytes()


def test_small_parts_become_one_file(tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "stage", rejected_rows(), 3)
    (file,) = write_shards([parts], "rejected", tmp_path / "out")
    assert content([file]).equals(content(parts))
    groups = -(-ROWS // load_table("rejected").row_group_rows)
    assert pq.read_metadata(file).num_row_groups == groups


@pytest.mark.parametrize("shard_bytes", [SHARD, 256 * 1024 * 1024])
def test_unsorted_stages_become_one_sorted_table(tmp_path: Path, shard_bytes: int) -> None:
    rows = rejected_rows()
    mixed = rows.copy()
    random.Random(3).shuffle(mixed)  # an order, not a secret
    halves = [
        write_parts(tmp_path / "a", mixed[: ROWS // 2], 2),
        write_parts(tmp_path / "b", mixed[ROWS // 2 :], 1),
    ]
    files = write_shards(halves, "rejected", tmp_path / "out", shard_bytes)
    second_files = write_shards(halves, "rejected", tmp_path / "again", shard_bytes)
    assert (len(files) > 1) == (shard_bytes == SHARD)
    assert [f.read_bytes() for f in files] == [f.read_bytes() for f in second_files]
    expected = write_parts(tmp_path / "expected", rows, 1)
    assert content(files).equals(content(expected))
    groups = pq.read_metadata(files[0])
    assert groups.row_group(0).num_rows == load_table("rejected").row_group_rows


@pytest.mark.parametrize(("count", "rows", "most"), [(0, 8, 99), (5, 8, 99), (9_000, 64, 100)])
def test_cuts_keep_file_lengths_within_bounds(count: int, rows: int, most: int) -> None:
    drawn = np.random.default_rng(count).integers(0, 1 << 32, count, dtype=np.uint32)
    ends = cuts(drawn, rows, most)
    while rows * MAX_FILES < count:
        rows *= 2
    lengths = np.diff([0, *ends])
    assert ends[-1] == count
    assert max(lengths) <= min(most, 4 * rows)
    assert all(length >= min(rows // 2, most) for length in lengths[:-1])
    if count > 1_000:
        assert len(ends) <= 4 * MAX_FILES


@pytest.mark.parametrize("position", [0, 1_234, 6_000])
def test_additional_row_changes_few_files(position: int) -> None:
    drawn = np.random.default_rng(1).integers(0, 1 << 32, 6_000, dtype=np.uint32)
    longer = np.insert(drawn, position, 1 << 31)

    def files(numbers: NDArray[np.uint32]) -> set[bytes]:
        ends = cuts(numbers, 128, 10_000)
        return {numbers[start:end].tobytes() for start, end in zip([0, *ends], ends, strict=False)}

    before, after = files(drawn), files(longer)
    assert len(before) > 30
    assert len(after - before) <= 3


def test_files_are_independent_of_the_parts_of_a_stage(tmp_path: Path) -> None:
    rows = write_split_shortcuts(tmp_path / "one")
    whole = [part_path(tmp_path / "one", "shortcuts", 0)]
    for number, start in enumerate(range(0, len(rows), 170)):
        path = part_path(tmp_path / "many", "shortcuts", number)
        write_table("shortcuts", rows[start : start + 170], path)
    many_parts = table_parts(tmp_path / "many", "shortcuts")
    files = write_shards([whole], "shortcuts", tmp_path / "out")
    second_files = write_shards([many_parts], "shortcuts", tmp_path / "again")
    assert [f.read_bytes() for f in files] == [f.read_bytes() for f in second_files]


def write_split_shortcuts(folder: Path) -> list[Shortcut]:
    """Write sorted shortcuts of three splits and none, half of them evaluable; return them."""
    rows = [
        msgspec.structs.replace(
            row,
            shortcut_id=f"shortcut:sha256:{number:04d}",
            source_uri=f"file-{number:04d}",
            split=("train", "validation", "test", None)[number % 4],
            evaluation=number % 8 < 4,
            evaluation_reasons=() if number % 8 < 4 else ("too_long",),
        )
        for number, row in enumerate(shortcuts() * 100)
    ]
    write_table("shortcuts", rows, part_path(folder, "shortcuts", 0))
    return rows


@pytest.mark.parametrize("shard_bytes", [SHARD, 256 * 1024 * 1024])
def test_each_split_has_separate_files(tmp_path: Path, shard_bytes: int) -> None:
    rows = write_split_shortcuts(tmp_path / "one")
    mixed = rows.copy()
    random.Random(5).shuffle(mixed)
    halves = [mixed[: len(rows) // 3], mixed[len(rows) // 3 :]]
    for number, half in enumerate(halves):
        write_table("shortcuts", half, part_path(tmp_path / "mixed", "shortcuts", number))
    whole = [part_path(tmp_path / "one", "shortcuts", 0)]
    mixed_parts = [part_path(tmp_path / "mixed", "shortcuts", number) for number in range(2)]
    files = write_shards([whole], "shortcuts", tmp_path / "out", shard_bytes)
    second_files = write_shards([mixed_parts], "shortcuts", tmp_path / "again", 256 * 1024 * 1024)
    assert table_parts(tmp_path / "out", "shortcuts") == files
    ids_by_set: dict[FileSet, list[str]] = {}
    for file in files:
        named = set_file(file.name)
        assert named is not None
        ids_by_set.setdefault(named.file_set, []).extend(
            read_rows(file, ["shortcut_id"]).column("shortcut_id").to_pylist()
        )
    for split in ("train", "validation", "test", "unsplit"):
        for word in ("", "evaluable"):
            expected = [
                row.shortcut_id
                for row in rows
                if (row.split or "unsplit") == split and row.evaluation == bool(word)
            ]
            assert ids_by_set.pop(FileSet(split, word)) == expected
    assert not ids_by_set
    assert (len(files) > 8) == (shard_bytes == SHARD)
    if shard_bytes != SHARD:
        assert [f.read_bytes() for f in files] == [f.read_bytes() for f in second_files]


def test_large_rows_end_a_row_group_early(tmp_path: Path) -> None:
    text = "x" * 3_000_000
    rows = [
        msgspec.structs.replace(
            shortcuts()[0],
            shortcut_id=f"shortcut:sha256:{number}",
            workflow=text + str(number),
            split="test",
        )
        for number in range(9)
    ]
    part = part_path(tmp_path / "stage", "shortcuts", 0)
    write_table("shortcuts", rows, part)
    (file,) = write_shards([[part]], "shortcuts", tmp_path / "out")
    stored = pq.read_metadata(file)
    assert (stored.num_rows, stored.num_row_groups) == (9, 2)
    assert content([file]).equals(content([part]))


def test_table_without_rows_has_one_file(tmp_path: Path) -> None:
    part = part_path(tmp_path / "stage", "planning_paths", 0)
    write_table("planning_paths", (), part)
    (file,) = write_shards([[part]], "planning_paths", tmp_path / "out")
    assert (file.name, read_rows(file).num_rows) == ("unsplit-00000-of-00001.parquet", 0)


def test_release_with_several_files_per_table_passes_the_check(tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    write_parts(stage, rejected_rows(), 1)
    mark = StageMark(
        stage="parse",
        key="stage:sha256:0",
        objects=ROWS,
        rows={"rejected": ROWS},
        reasons={"not_a_shortcut": ROWS},
    )
    tables = [ReleaseTable("rejected", stage)]
    folder = build_release(tables, [mark], tmp_path / "releases", shard_bytes=SHARD)
    check_release(folder)
    files = [file for file in read_manifest(folder).files if file.table == "rejected"]
    assert len(files) > 1
    assert sum(file.rows or 0 for file in files) == ROWS
