"""Tests of take_rows: rows of several parts are read in any requested order."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import RunError
from benchloom.storage.tables import OpenParts, take_rows
from benchloom.storage.tables import files as parquet_files
from benchloom.storage.tables import reader as parts_module
from benchloom.storage.tables.files import PAGE_CHECKSUMS


class RowPosition(NamedTuple):
    """A row of a part, by their numbers."""

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
        file_path = folder / f"{part}.parquet"
        pq.write_table(
            pa.Table.from_pylist(rows),
            file_path,
            row_group_size=12,
            write_page_checksum=PAGE_CHECKSUMS,
        )
    return sorted(folder.iterdir())


@pytest.fixture
def parts(files: list[Path]) -> Iterator[OpenParts]:
    with OpenParts(files) as opened:
        yield opened


def test_rows_are_returned_in_the_requested_order(parts: OpenParts) -> None:
    all_positions = [RowPosition(part, row) for part in range(4) for row in range(PER_PART)]
    for count in (1, 7, 200, 240):
        positions = random.Random(count).sample(all_positions, count)
        rows = take_rows(parts, positions)
        assert rows.column("id").to_pylist() == [f"{part}:{row}" for part, row in positions]


def test_damaged_part_is_refused(files: list[Path], tmp_path: Path) -> None:
    positions = [RowPosition(part, row) for row in range(10) for part in range(4)]
    damaged = [*files[:3], tmp_path / "damaged.parquet"]
    whole = files[3].read_bytes()
    for content in (whole[:-40], whole[:200] + bytes(40) + whole[240:]):
        damaged[3].write_bytes(content)
        with OpenParts(damaged) as opened, pytest.raises(RunError, match=r"damaged\.parquet"):
            take_rows(opened, positions)


def test_only_few_parts_are_open_at_a_time(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part_paths = [tmp_path / f"{number}.parquet" for number in range(6)]
    for number, path in enumerate(part_paths):
        path.write_bytes(files[number % 4].read_bytes())
    opened: list[Path] = []
    closed: list[object] = []
    opening, closing = parquet_files.opened, pq.ParquetFile.close

    def record_open(path: Path, table: str | None = None) -> pq.ParquetFile:
        opened.append(path)
        return opening(path, table)

    def record_close(self: pq.ParquetFile, *options: bool) -> None:
        closed.append(self)
        closing(self, *options)

    monkeypatch.setattr(parts_module, "opened", record_open)
    monkeypatch.setattr(pq.ParquetFile, "close", record_close)
    with OpenParts(part_paths) as parts:
        for row in range(PER_PART):
            assert take_rows(parts, [RowPosition(0, row), RowPosition(1, row)]).num_rows == 2
        assert (opened, closed) == (part_paths[:2], [])
        for part in range(2, 6):
            take_rows(parts, [RowPosition(part, 0)])
        assert (len(opened), len(closed)) == (6, 2)
    assert len(closed) == 6
