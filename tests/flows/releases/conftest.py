"""The demo's release in DuckDB, for tests of what its documents say about joins."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from benchloom.release import read_manifest


@pytest.fixture(scope="module")
def database(demo_release: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A view of every table by its name."""
    with duckdb.connect() as connection:
        for name in read_manifest(demo_release).tables():
            files = f"{demo_release}/{name}/*.parquet"
            connection.execute(f"create view {name} as select * from '{files}'")  # noqa: S608  the names are written in the test
        yield connection
