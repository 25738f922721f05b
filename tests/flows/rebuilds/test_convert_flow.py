"""Dialogues through the Prefect flows: converted, released, and their figures on the card."""

import json
import shutil
from pathlib import Path

import pytest

from benchloom.records import PlanningPath, Rejected
from benchloom.tables import iter_records
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment

DEMO = Path(__file__).resolve().parents[3] / "demo"
pytestmark = pytest.mark.prefect


def test_rebuild_releases_plans_beside_shortcuts(tmp_path: Path, prefect_url: str) -> None:
    world = tmp_path / "world"
    shutil.copytree(DEMO / "sgd", world)
    (world / "dev" / "schema.json").unlink()
    config = tmp_path / "rebuild.toml"
    sources = f'shortcuts = ["{DEMO / "shortcuts" / "damaged"}"]\nsgd = ["{world}"]\n'
    config.write_text(f'[sources]\n{sources}[sgd]\ndrop = ["retried"]\n')
    words = ("rebuild", "--config", config, "--out", tmp_path / "space", "--json")
    done = benchloom(*words, env=clean_environment(tmp_path / "home", prefect_url))
    assert done.returncode == 0, done.stderr
    release = Path(json.loads(done.stdout)["release"])
    plans = list(iter_records(release, "planning_paths", PlanningPath))
    assert len(plans) == 21
    assert sum("dropped:1" in plan.oddities for plan in plans) == 1
    # Rows of both stages in one sorted table, or the release's own check would have failed.
    stages = {row.stage for row in iter_records(release, "rejected", Rejected)}
    assert stages >= {"convert", "parse"}
    card = (release / "README.md").read_text()
    assert "| all | MM |" in (release / "FIGURES.md").read_text()
    assert "| convert-sgd | 29 | 21 |" in card
