"""Check that a release with rows of one table has all other tables empty, and is sound."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from benchloom.release import check_release
from benchloom.storage.tables import load_table, schema_of, table_names
from flows.run.runner import run_whole
from flows.stages.definitions.parse import prepare_catalogue
from flows.stages.release import release_stages
from tests.support.demo_world import DEMO


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release that is made of API definitions alone."""
    work = tmp_path_factory.mktemp("empty")
    run_whole(prepare_catalogue([DEMO / "definitions"]), work / "parsed")
    return release_stages([work / "parsed"], work / "releases")


def test_release_contains_every_table_with_its_columns(release: Path) -> None:
    rows = check_release(release).tables()
    assert set(rows) == set(table_names())
    assert {name for name, count in rows.items() if count} <= {"api_definitions", "conflicts"}
    for name in table_names():
        (part,) = (release / name).glob("*.parquet")
        assert schema_of(part).equals(load_table(name).arrow_schema())
        assert pq.read_metadata(part).num_rows == rows[name]


def test_card_configures_only_tables_with_rows(release: Path) -> None:
    """The library `datasets` refuses a split without rows."""
    _, front, _ = (release / "README.md").read_text().split("---\n", 2)
    configurations = yaml.safe_load(front)["configs"]
    rows = check_release(release).tables()
    assert [entry["config_name"] for entry in configurations] == sorted(
        name for name, count in rows.items() if count
    )
    assert configurations[0]["default"]
