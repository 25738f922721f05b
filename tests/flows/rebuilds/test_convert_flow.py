"""Check that a rebuild converts dialogues, releases the plans and states their figures."""

import json
import os

import pytest

from benchloom.core.records import PlanningPath, Rejected
from benchloom.release import read_manifest
from benchloom.storage.tables import iter_records
from tests.support.commands import benchloom
from tests.support.small_rebuild import SmallRebuild

pytestmark = pytest.mark.prefect


@pytest.fixture
def rebuild_command(small_rebuild: SmallRebuild) -> tuple[object, ...]:
    """Return the command that rebuilds `small_rebuild` in its own workspace."""
    workspace = small_rebuild.release.parents[1]
    return ("rebuild", "--config", small_rebuild.config, "--out", workspace, "--json")


def test_rebuild_releases_plans_beside_shortcuts(small_rebuild: SmallRebuild) -> None:
    release = small_rebuild.release
    plans = list(iter_records(release, "planning_paths", PlanningPath))
    assert len(plans) == 20
    assert sum("dropped:1" in plan.oddities for plan in plans) == 1
    # The table contains rows of both stages; the release's check has found it sorted.
    stages = {row.stage for row in iter_records(release, "rejected", Rejected)}
    assert stages >= {"convert", "parse"}
    card = (release / "README.md").read_text()
    assert "| all | MM |" in (release / "FIGURES.md").read_text()
    assert "| convert-sgd | 28 | 20 |" in card


def test_rebuild_without_changes_contacts_no_prefect_server(
    small_rebuild: SmallRebuild, rebuild_command: tuple[object, ...]
) -> None:
    environment = small_rebuild.environment | {"PREFECT_API_URL": "http://127.0.0.1:9/api"}
    done = benchloom(*rebuild_command, env=environment)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["unchanged"]
    assert report["release"] == str(small_rebuild.release)
    assert report["rows"] == read_manifest(small_rebuild.release).tables()
    done = benchloom(*rebuild_command[:-1], env=environment)
    assert done.stdout.startswith("release 0.1.0 is unchanged: ")


def test_rebuild_reports_damaged_file_of_its_release(
    small_rebuild: SmallRebuild, rebuild_command: tuple[object, ...], prefect_url: str
) -> None:
    home = small_rebuild.environment | {"PREFECT_API_URL": prefect_url}
    table = next((small_rebuild.release / "planning_paths").glob("*.parquet"))
    content, times = table.read_bytes(), table.stat()
    try:
        table.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
        os.utime(table, ns=(times.st_atime_ns, times.st_mtime_ns))
        done = benchloom(*rebuild_command, env=home)
    finally:
        table.write_bytes(content)
    assert done.returncode == 1, done.stderr
    assert "its bytes differ from its sha256" in done.stderr
    # The file is restored, so the next rebuild reports the release as unchanged again.
    done = benchloom(*rebuild_command, env=home)
    assert json.loads(done.stdout)["unchanged"]
