"""Fixtures for tests that query the demo's release with DuckDB."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from benchloom.release import read_manifest


@pytest.fixture(scope="module")
def database(demo_release: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a connection to a DuckDB database with a view of every table of the demo's release."""
    with duckdb.connect() as connection:
        for name in read_manifest(demo_release).tables():
            files = f"{demo_release}/{name}/*.parquet"
            connection.execute(f"create view {name} as select * from '{files}'")  # noqa: S608  the names are written in the test
        yield connection
