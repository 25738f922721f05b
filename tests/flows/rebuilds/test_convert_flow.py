"""Dialogues through the Prefect flows: converted, released, and their figures on the card."""

import json
import os
import shutil
from pathlib import Path

import pytest

from benchloom.records import PlanningPath, Rejected
from benchloom.release import read_manifest
from benchloom.tables import iter_records
from tests.support.commands import benchloom
from tests.support.prefect_server import clean_environment

DEMO = Path(__file__).resolve().parents[3] / "demo"
Home = dict[str, str]
pytestmark = pytest.mark.prefect


def test_rebuild_releases_plans_beside_shortcuts(tmp_path: Path, prefect_url: str) -> None:
    world = tmp_path / "world"
    shutil.copytree(DEMO / "sgd", world)
    (world / "dev" / "schema.json").unlink()
    config = tmp_path / "rebuild.toml"
    sources = f'shortcuts = ["{DEMO / "shortcuts" / "damaged"}"]\nsgd = ["{world}"]\n'
    config.write_text(f'[sources]\n{sources}[sgd]\ndrop = ["retried"]\n')
    words = ("rebuild", "--config", config, "--out", tmp_path / "space", "--json")
    home = clean_environment(tmp_path / "home", prefect_url)
    done = benchloom(*words, env=home)
    assert done.returncode == 0, done.stderr
    assert "unchanged" not in json.loads(done.stdout)
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
    nothing_new_asks_no_server(words, home, release)
    a_damaged_release_is_found(words, home, release)


def nothing_new_asks_no_server(words: tuple[object, ...], home: Home, release: Path) -> None:
    nobody = home | {"PREFECT_API_URL": "http://127.0.0.1:9/api"}
    done = benchloom(*words, env=nobody)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["unchanged"]
    assert told["release"] == str(release)
    assert told["rows"] == read_manifest(release).tables()
    done = benchloom(*words[:-1], env=nobody)
    assert done.stdout.startswith("release 0.1.0 is unchanged: ")


def a_damaged_release_is_found(words: tuple[object, ...], home: Home, release: Path) -> None:
    table = next((release / "planning_paths").glob("*.parquet"))
    content, times = table.read_bytes(), table.stat()
    table.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
    os.utime(table, ns=(times.st_atime_ns, times.st_mtime_ns))
    done = benchloom(*words, env=home)
    assert done.returncode == 1, done.stderr
    assert "its bytes differ from its sha256" in done.stderr
    # What the disk lost is brought back: the next rebuild says so from the mark again.
    table.write_bytes(content)
    done = benchloom(*words, env=home)
    assert json.loads(done.stdout)["unchanged"]
