"""Tests of the JSON schemas: they accept every row of their table and refuse broken rows."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from benchloom.release import read_manifest


def validator(release: Path, table: str) -> Draft202012Validator:
    """Return a validator for the JSON schema of a table."""
    schema = json.loads((release / "schemas" / f"{table}.schema.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def read_table_rows(release: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a released table."""
    table_rows: list[dict[str, Any]] = pq.read_table(release / table).to_pylist()
    return table_rows


def test_schemas_accept_every_row(release: Path) -> None:
    tables = read_manifest(release).tables()
    schemas = {path.name.split(".")[0] for path in (release / "schemas").iterdir()}
    assert schemas == set(tables)
    for table in tables:
        check = validator(release, table)
        for row in read_table_rows(release, table):
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
def test_schema_refuses_a_broken_row(release: Path, change: dict[str, Any]) -> None:
    row = read_table_rows(release, "shortcuts")[0]
    check = validator(release, "shortcuts")
    assert check.is_valid(row)
    assert not check.is_valid(row | change)


def test_schema_allows_null_only_in_nullable_columns(release: Path) -> None:
    row = read_table_rows(release, "shortcuts")[0]
    check = validator(release, "shortcuts")
    assert check.is_valid(row | {"level": None, "name": None})
    assert not check.is_valid({key: value for key, value in row.items() if key != "level"})
