"""Check that two crawls of the demo world produce the same captures and tables."""

import shutil
from pathlib import Path

import pytest

from benchloom.core.records import Capture
from benchloom.storage.tables.reader import iter_records
from demo.replica.capture import capture_demo_world
from tests.support.captured_tables import build_listings


@pytest.mark.long
def test_two_crawls_of_the_demo_world_have_equal_rows(tmp_path: Path, demo_release: Path) -> None:
    # The first crawl was made by the demo that runs from the wheel.
    shutil.copytree(demo_release.parents[1] / "captures", tmp_path / "one")
    demo_crawl = capture_demo_world(tmp_path / "two")
    assert demo_crawl.download.states["available"] >= 200
    assert all(site.complete or site.skipped for site in demo_crawl.sites)
    ids: list[list[str]] = []
    for name in ("one", "two"):
        build_listings(tmp_path / name, tmp_path / f"{name}-out", demo_crawl.settings)
        captures = iter_records(tmp_path / f"{name}-out", "captures", Capture)
        ids.append(sorted(c.capture_id for c in captures if c.kind != "fault"))
    assert ids[0] == ids[1]
    for table in ("listings", "icloud_records", "rejected"):
        first, second = (tmp_path / f"{name}-out" / f"{table}.parquet" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes(), table
