"""Rows of parts in any order: one reading of the files gives what taking all at once gives."""

import random
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.errors import RunError
from benchloom.tables import OpenParts, take_rows, take_stretches
from benchloom.tables import files as parquet_files
from benchloom.tables import opened as parts_module
from benchloom.tables.files import PAGE_CHECKSUMS


class Lies(NamedTuple):
    part: int
    row: int


PER_PART = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four files of five row groups, with a column of lists and of nulls."""
    folder = tmp_path_factory.mktemp("parts")
    for part in range(4):
        rows = [
            {"id": f"{part}:{row}", "items": [row] * (row % 3), "half": row if row % 2 else None}
            for row in range(PER_PART)
        ]
        place = folder / f"{part}.parquet"
        pq.write_table(
            pa.Table.from_pylist(rows), place, row_group_size=12, write_page_checksum=PAGE_CHECKSUMS
        )
    return sorted(folder.iterdir())


@pytest.fixture
def parts(files: list[Path]) -> Iterator[OpenParts]:
    with OpenParts(files) as opened:
        yield opened


@pytest.mark.parametrize("stretch", [1, 7, 50, 199, 200, 1000])
def test_stretches_are_the_rows_in_order(
    parts: OpenParts, tmp_path: Path, stretch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [Lies(part, row) for part in range(4) for row in range(PER_PART)]
    places = random.Random(stretch).sample(every, 200)
    whole = take_rows(parts, places)
    assert whole.column("id").to_pylist() == [f"{part}:{row}" for part, row in places]
    read: list[int] = []
    reading = pq.ParquetFile.read_row_group

    def noted(self: pq.ParquetFile, group: int, **options: object) -> pa.Table:
        read.append(group)
        return reading(self, group, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    found = list(take_stretches(parts, places, stretch, tmp_path / "shortcuts.parquet"))
    assert [rows.num_rows for rows in found[:-1]] == [stretch] * (len(found) - 1)
    assert pa.concat_tables(found) == whole
    assert len(read) <= 4 * 5, "a row group is read once, however many stretches there are"
    assert list(tmp_path.iterdir()) == []


def test_nothing_waits_when_the_reading_ends_early_or_by_a_fault(
    files: list[Path], parts: OpenParts, tmp_path: Path
) -> None:
    places = [Lies(part, row) for row in range(10) for part in range(4)]
    stretches = take_stretches(parts, places, 8, tmp_path / "some.parquet")
    next(stretches)
    assert len(list(tmp_path.iterdir())) == 4, "the first stretch is gone, four are to come"
    stretches.close()
    assert list(tmp_path.iterdir()) == []
    damaged = [*files[:3], tmp_path / "damaged.parquet"]
    whole = files[3].read_bytes()
    for content in (whole[:-40], whole[:200] + bytes(40) + whole[240:]):
        damaged[3].write_bytes(content)
        with OpenParts(damaged) as opened, pytest.raises(RunError, match=r"damaged\.parquet"):
            list(take_stretches(opened, places, 8, tmp_path / "some.parquet"))
        assert list(tmp_path.iterdir()) == [damaged[3]]


def test_a_disk_that_takes_no_more_leaves_nothing_that_waits(
    parts: OpenParts, tmp_path: Path
) -> None:
    places = [Lies(part, row) for row in range(PER_PART) for part in range(4)]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large|errno 27"):
            list(take_stretches(parts, places, 100, tmp_path / "some.parquet"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_parts_stay_open_and_few_of_them(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [tmp_path / f"{number}.parquet" for number in range(6)]
    for number, path in enumerate(many):
        path.write_bytes(files[number % 4].read_bytes())
    opened: list[Path] = []
    closed: list[object] = []
    opening, closing = parquet_files.opened, pq.ParquetFile.close

    def noted(path: Path, table: str | None = None) -> pq.ParquetFile:
        opened.append(path)
        return opening(path, table)

    def noted_end(self: pq.ParquetFile, *given: bool) -> None:
        closed.append(self)
        closing(self, *given)

    monkeypatch.setattr(parts_module, "opened", noted)
    monkeypatch.setattr(pq.ParquetFile, "close", noted_end)
    with OpenParts(many) as parts:
        for row in range(PER_PART):
            assert take_rows(parts, [Lies(0, row), Lies(1, row)]).num_rows == 2
        assert (opened, closed) == (many[:2], [])
        for part in range(2, 6):
            take_rows(parts, [Lies(part, 0)])
        assert (len(opened), len(closed)) == (6, 2)
    assert len(closed) == 6
