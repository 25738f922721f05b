"""JSON schemas: valid themselves, right about every row, and not about a broken one."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from benchloom.release import read_manifest


def validator(release: Path, table: str) -> Draft202012Validator:
    schema = json.loads((release / "schemas" / f"{table}.schema.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def rows(release: Path, table: str) -> list[dict[str, Any]]:
    table_rows: list[dict[str, Any]] = pq.read_table(release / table).to_pylist()
    return table_rows


def test_every_row_of_every_table_holds(release: Path) -> None:
    tables = read_manifest(release).tables()
    schemas = {path.name.split(".")[0] for path in (release / "schemas").iterdir()}
    assert schemas == set(tables)
    for table in tables:
        check = validator(release, table)
        for row in rows(release, table):
            check.validate(row)


@pytest.mark.parametrize(
    "change",
    [
        {"length": "2"},
        {"length": 2**40},
        {"name": 5},
        {"shortcut_id": None},
        {"actions": None},
        {"actions": [{"index": 0}]},
        {"oddities": [None]},
        {"unknown": 1},
    ],
)
def test_a_broken_row_does_not_hold(release: Path, change: dict[str, Any]) -> None:
    row = rows(release, "shortcuts")[0]
    check = validator(release, "shortcuts")
    assert check.is_valid(row)
    assert not check.is_valid(row | change)


def test_null_is_allowed_where_the_table_allows_it(release: Path) -> None:
    row = rows(release, "shortcuts")[0]
    check = validator(release, "shortcuts")
    assert check.is_valid(row | {"level": None, "name": None})
    assert not check.is_valid({key: value for key, value in row.items() if key != "level"})
