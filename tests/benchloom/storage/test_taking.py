"""Rows of parts in any order."""

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


def test_rows_come_in_the_order_in_which_they_are_asked_for(parts: OpenParts) -> None:
    every = [Lies(part, row) for part in range(4) for row in range(PER_PART)]
    for count in (1, 7, 200, 240):
        places = random.Random(count).sample(every, count)
        rows = take_rows(parts, places)
        assert rows.column("id").to_pylist() == [f"{part}:{row}" for part, row in places]


def test_a_damaged_part_is_a_typed_fault(files: list[Path], tmp_path: Path) -> None:
    places = [Lies(part, row) for row in range(10) for part in range(4)]
    damaged = [*files[:3], tmp_path / "damaged.parquet"]
    whole = files[3].read_bytes()
    for content in (whole[:-40], whole[:200] + bytes(40) + whole[240:]):
        damaged[3].write_bytes(content)
        with OpenParts(damaged) as opened, pytest.raises(RunError, match=r"damaged\.parquet"):
            take_rows(opened, places)


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
