"""Tests of loading: pandas, pyarrow, polars, duckdb and Hugging Face datasets read equal rows."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchloom.release import read_manifest
from tests.support.python import python
from tests.support.samples.described import build, listings, other_rows

ROOT = Path(__file__).resolve().parents[3]

READ = """
import json, sys
from pathlib import Path
release, tables = Path(sys.argv[1]), json.loads(sys.argv[2])

def by_pandas(table):
    import pandas
    return pandas.read_parquet(release / table).to_dict("records")

def by_pyarrow(table):
    import pyarrow.dataset
    return pyarrow.dataset.dataset(release / table).to_table().to_pylist()

def by_polars(table):
    import polars
    return polars.read_parquet(f"{release}/{table}/*.parquet").to_dicts()

def by_duckdb(table):
    import duckdb
    result = duckdb.connect().execute(f"select * from '{release}/{table}/*.parquet'")
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]

def by_datasets(table):
    import datasets
    assert "site-packages" in datasets.__file__, datasets.__file__
    splits = datasets.load_dataset(str(release), table, cache_dir=sys.argv[3])
    return {split: rows.to_list() for split, rows in splits.items()}

def plain(value):
    # pandas gives numpy values, and NaN where an integer is missing
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(element) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value
    return value

names, beside_ours = json.loads(sys.argv[4]), sys.argv[5]
if beside_ours == "yes":
    import benchloom, flows.cli
read = {name: globals()["by_" + name] for name in names}
rows_by_library = {name: {table: plain(by(table)) for table in tables} for name, by in read.items()}
json.dump(rows_by_library, sys.stdout)
assert ("benchloom" in sys.modules) == (beside_ours == "yes")
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = tmp_path_factory.mktemp("release")
    rows = {"listings": listings(), **other_rows(["one.api"])}
    return build(workspace, rows)


Row = dict[str, object]


def load(  # noqa: PLR0917  the settings of one Python process
    release: Path,
    libraries: Sequence[str],
    folder: Path,
    scratch: Path,
    tables: Sequence[str] = (),
    beside_ours: str = "yes",
) -> dict[str, dict[str, Any]]:
    """Return tables as rows by library, read by a fresh Python process in `folder`."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"HF_HUB_OFFLINE": "1", "HF_HOME": str(scratch / "hf"), "HOME": str(scratch)}
    names = json.dumps(list(tables) or sorted(read_manifest(release).tables()))
    arguments = [str(release), names, str(scratch / "cache"), json.dumps(list(libraries))]
    arguments.append(beside_ours)
    output = python("-c", READ, *arguments, cwd=folder, env=environment).stdout
    rows_by_library: dict[str, dict[str, Any]] = json.loads(output)
    return rows_by_library


@pytest.fixture(scope="module")
def expected(release: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    """The rows of every table, read by pyarrow."""
    folder = tmp_path_factory.mktemp("expected")
    return load(release, ["pyarrow"], folder, folder)["pyarrow"]


@pytest.mark.parametrize("working_folder", ["another folder", "the repository root"])
def test_every_library_reads_the_same_rows(
    release: Path, tmp_path: Path, working_folder: str
) -> None:
    folder = ROOT if working_folder == "the repository root" else tmp_path
    read = load(release, ("pyarrow", "pandas", "polars", "duckdb"), folder, tmp_path)
    expected = read.pop("pyarrow")
    counts = {table: len(rows) for table, rows in expected.items()}
    assert counts == read_manifest(release).tables()
    text = json.dumps(expected)
    assert '"references": [{"kind": ' in text
    assert '"edges": [{"from_step": 0' in text
    for library, library_tables in read.items():
        for table, rows in expected.items():
            assert library_tables[table] == rows, f"{library} reads {table} differently"


@pytest.mark.long
@pytest.mark.parametrize("beside_ours", ["yes", "no"])
def test_datasets_loads_exactly_the_rows_of_each_split(
    release: Path, expected: dict[str, list[Row]], tmp_path: Path, beside_ours: str
) -> None:
    """Run with and without our own modules imported beside `datasets`."""
    names = [*expected, "evaluation"]
    splits_by_table = load(release, ["datasets"], tmp_path, tmp_path, names, beside_ours)[
        "datasets"
    ]
    assert list(splits_by_table) == names
    marked = splits_by_table.pop("evaluation")
    for table, rows in expected.items():
        assert splits_by_table[table] == rows_by_split(rows), table
    evaluation = [row for row in expected["shortcuts"] if row["evaluation"]]
    assert marked == rows_by_split(evaluation)
    assert {table for table, splits in splits_by_table.items() if set(splits) != {"unsplit"}} == {
        "shortcuts",
        "planning_paths",
        "queries",
        "dialogues",
        "service_results",
    }
    assert set(splits_by_table["queries"]) == {"train", "validation", "test", "unsplit"}


def rows_by_split(rows: list[Row]) -> dict[str, list[Row]]:
    """Return rows by the value of their `split` column."""
    splits: dict[str, list[Row]] = {}
    for row in rows:
        splits.setdefault(str(row.get("split") or "unsplit"), []).append(row)
    return splits


def test_definitions_folder_contains_no_python() -> None:
    assert not list((ROOT / "datasets").rglob("*.py"))
