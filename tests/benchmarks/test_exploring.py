"""The release that exploring is measured on: small, it is shown like any other."""

from pathlib import Path

from starlette.testclient import TestClient

from benchmarks.exploring import write_release
from flows.explorer.open_release import OpenRelease
from flows.explorer.web.server import application


def test_a_made_release_is_shown(tmp_path: Path) -> None:
    release = OpenRelease(write_release(60, tmp_path / "releases" / "0.1.0"))
    pages = TestClient(application(release), base_url="http://localhost")
    try:
        assert {table.name: table.rows for table in release.tables.values()} | {
            "api_definitions": 0
        } == {
            "api_definitions": 0,
            "listings": 60,
            "queries": 60,
            "shortcuts": 60,
            "verdicts": 120,
        }
        assert all(not table.fault for table in release.tables.values())
        assert (
            "<b>6</b> of 60 rows"
            in pages.get("/tables/shortcuts?column=split&relation=is&value=test").text
        )
        assert "With which values" in pages.get("/api?name=is.workflow.actions.gettext").text
    finally:
        release.close()
