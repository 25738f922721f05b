"""Tests of Croissant metadata: it is valid, and mlcroissant reads every table with it."""

import logging
from pathlib import Path

import duckdb
import mlcroissant
import pytest

from benchloom.release import read_manifest
from benchloom.storage.tables import load_table

# mlcroissant calls deprecated functions of its dependencies.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def dataset(release: Path) -> mlcroissant.Dataset:
    return mlcroissant.Dataset(jsonld=release / "croissant.json")


def test_croissant_metadata_is_valid(release: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        dataset = mlcroissant.Dataset(jsonld=release / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    # The date of publication would differ between equal releases: only the manifest has it.
    assert len(issues.warnings) == 1
    assert "datePublished" in next(iter(issues.warnings))
    assert not [record for record in caplog.records if "not standard" in record.message]
    assert str(dataset.metadata.ctx.conforms_to.value).endswith("/1.0")
    assert dataset.metadata.version == "0.1.0"


def test_every_table_is_readable_with_mlcroissant(
    release: Path, dataset: mlcroissant.Dataset
) -> None:
    tables = read_manifest(release).tables()
    assert {record_set.id for record_set in dataset.metadata.record_sets} == set(tables)
    for table, rows in tables.items():
        assert sum(1 for _ in dataset.records(table)) == rows, table
    for table in tables:
        fields = {field.id for field in _fields(dataset, table)}
        assert fields == {f"{table}/{column.name}" for column in load_table(table).columns}


def _fields(dataset: mlcroissant.Dataset, table: str) -> list[mlcroissant.Field]:
    return next(
        record_set.fields for record_set in dataset.metadata.record_sets if record_set.id == table
    )


def test_record_values_equal_the_table_values(release: Path, dataset: mlcroissant.Dataset) -> None:
    query = f"select shortcut_id, level, name, actions from '{release}/shortcuts/*.parquet'"  # noqa: S608  a path of the test
    expected = duckdb.connect().execute(query).fetchall()
    for record, (shortcut_id, level, name, actions) in zip(
        dataset.records("shortcuts"), expected, strict=True
    ):
        assert record["shortcuts/shortcut_id"].decode() == shortcut_id
        assert record["shortcuts/level"] == level
        assert record["shortcuts/name"] == (name.encode() if name is not None else None)
        identifiers = [
            action["shortcuts/actions/identifier"].decode()
            for action in record["shortcuts/actions"]
        ]
        assert identifiers == [action["identifier"] for action in actions]


def test_table_files_are_listed_with_their_digests(
    release: Path, dataset: mlcroissant.Dataset
) -> None:
    digests = {
        part.content_url: part.sha256
        for part in dataset.metadata.distribution
        if isinstance(part, mlcroissant.FileObject)
    }
    manifest = read_manifest(release)
    assert digests == {file.path: file.sha256 for file in manifest.files if file.table is not None}
