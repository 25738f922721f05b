"""Tests of tables: nested columns are typed, equal rows give equal bytes, nulls are refused."""

import os
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Rejected, Shortcut
from benchloom.storage.tables import (
    TableWriter,
    iter_records,
    load_table,
    part_writer,
    read_batches,
    read_rows,
    table_names,
    write_table,
)
from parsers.shortcuts import parse_shortcut
from tests.support.demo_files.shortcuts import files


def shortcuts() -> list[Shortcut]:
    """Return the demo shortcuts that are not damaged."""
    return [
        parse_shortcut(data, name)
        for name, data in files().items()
        if not name.startswith("damaged/")
    ]


def test_written_rows_are_read_back_as_equal_records(tmp_path: Path) -> None:
    rows = shortcuts()
    write_table("shortcuts", rows, tmp_path / "shortcuts.parquet")
    assert list(iter_records(tmp_path, "shortcuts", Shortcut)) == rows


class SizeRecord(msgspec.Struct, frozen=True):
    """A record with some of the columns of a shortcut."""

    shortcut_id: str
    action_count: int


class UnknownColumnRecord(msgspec.Struct, frozen=True):
    """A record with a column that the table lacks."""

    shortcut_id: str
    another: int


def test_record_with_some_columns_reads_only_those(tmp_path: Path) -> None:
    rows = shortcuts()
    write_table("shortcuts", rows, tmp_path / "shortcuts.parquet")
    sizes = [SizeRecord(row.shortcut_id, row.action_count) for row in rows]
    assert list(iter_records(tmp_path, "shortcuts", SizeRecord)) == sizes
    with pytest.raises(RunError, match=r"not a file of table shortcuts: .*`another`"):
        list(iter_records(tmp_path, "shortcuts", UnknownColumnRecord))


def test_equal_rows_are_written_as_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_table("shortcuts", shortcuts(), tmp_path / name / "shortcuts.parquet")
    assert (tmp_path / "a" / "shortcuts.parquet").read_bytes() == (
        tmp_path / "b" / "shortcuts.parquet"
    ).read_bytes()


def test_nested_columns_are_typed(tmp_path: Path) -> None:
    write_table("shortcuts", shortcuts(), tmp_path / "s.parquet")
    schema = pq.read_schema(tmp_path / "s.parquet")
    assert schema.equals(load_table("shortcuts").arrow_schema())
    references = schema.field("actions").type.value_type.field("arguments").type.value_type
    assert references.field("references").type.value_type.field("offset").type == "int32"


def test_table_without_rows_has_its_schema(tmp_path: Path) -> None:
    assert write_table("shortcuts", [], tmp_path / "s.parquet") == 0
    assert pq.read_schema(tmp_path / "s.parquet").equals(load_table("shortcuts").arrow_schema())


def test_forbidden_null_is_reported_and_leaves_no_file(tmp_path: Path) -> None:
    broken = msgspec.structs.replace(shortcuts()[0], workflow=None)
    with pytest.raises(RunError, match=r"shortcuts\.workflow must not be null"):
        write_table("shortcuts", [broken], tmp_path / "s.parquet")
    assert list(tmp_path.iterdir()) == []


def test_error_while_writing_leaves_no_file(tmp_path: Path) -> None:
    def interrupt() -> list[Rejected]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), TableWriter("rejected", tmp_path / "r.parquet") as out:
        out.add(Rejected("parse", "a", "b", "c"))
        interrupt()
    assert list(tmp_path.iterdir()) == []


def test_row_group_ends_at_a_size(tmp_path: Path) -> None:
    with TableWriter("rejected", tmp_path / "r.parquet") as out:
        for number in range(6):
            out.add(Rejected("parse", str(number), "b", "c"), size=6 * 1024 * 1024)
    with pq.ParquetFile(tmp_path / "r.parquet") as file:
        groups = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    assert groups == [3, 3]


def test_arrow_and_parquet_parts_contain_equal_rows(tmp_path: Path) -> None:
    records = shortcuts()
    for ending in (".arrow", ".parquet"):
        with part_writer("shortcuts", tmp_path / f"s{ending}") as out:
            for record in records:
                out.add(record, size=6 * 1024 * 1024)
    batches = list(read_batches(tmp_path / "s.arrow"))
    with pq.ParquetFile(tmp_path / "s.parquet") as file:
        groups = [file.read_row_group(group) for group in range(file.num_row_groups)]
    assert [pa.Table.from_batches([batch]) for batch in batches] == groups
    assert len(groups) > 1


@pytest.mark.parametrize("damage", [b"", b"no batches at all"])
def test_invalid_arrow_file_is_refused(damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.arrow").write_bytes(damage)
    with pytest.raises(RunError, match=r"s\.arrow"):
        list(read_batches(tmp_path / "s.arrow"))


def test_unknown_table_is_refused_with_the_known_names() -> None:
    with pytest.raises(RunError, match=r"known: .*shortcuts"):
        load_table("shortcut")
    assert {"shortcuts", "rejected"} <= set(table_names())


def test_pipe_in_place_of_a_table_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "shortcuts.parquet")
    with pytest.raises(RunError, match=r"shortcuts\.parquet is .*Not a file"):
        read_rows(tmp_path / "shortcuts.parquet")
