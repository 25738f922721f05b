"""The recipes under `examples/`: each runs as it stands, on the demo's files."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest

from benchloom.release import check_release, read_manifest
from flows.configuration import read_configuration
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.prefect_server import clean_environment
from tests.support.stores import s3_server

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "examples"


def environment(home: Path, server: str | None = None, **further: str) -> dict[str, str]:
    clean = clean_environment(home, server)
    commands = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
    return clean | {"PATH": commands, "PYTHONPATH": str(ROOT)} | further


def run(command: list[str], **variables: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, env=variables
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def store() -> Iterator[str]:
    """The address of an S3 server of our own with the recipe's bucket."""
    with s3_server() as address:
        bucket(address).mkdir("my-bucket")
        yield address


def bucket(address: str) -> Any:
    """The files of the store."""
    return fsspec.filesystem(
        "s3",
        key="testing",
        secret="testing",  # noqa: S106 - a server of our own
        endpoint_url=address,
        use_listings_cache=False,
    )


def rows_of(place: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(place).to_pylist()
    return rows


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, prefect_url: str) -> tuple[Path, str]:
    """The workspace that the recipe for own shortcuts makes, and what it tells."""
    folder = tmp_path_factory.mktemp("own")
    command = [sys.executable, "-m", "examples.own_shortcuts", str(SHORTCUTS), str(folder / "w")]
    return folder / "w", run(command, **environment(folder, prefect_url))


@pytest.mark.long
@pytest.mark.prefect
def test_own_shortcuts_become_a_training_set(own: tuple[Path, str]) -> None:
    workspace, output = own
    release = workspace / "releases" / "0.1.0"
    check_release(release)
    split_of = {row["shortcut_id"]: row["split"] for row in rows_of(release / "shortcuts")}
    queries = {row["query_id"]: row for row in rows_of(release / "queries")}
    seen = []
    for split in ("train", "validation", "test"):
        lines = (workspace / "training" / f"{split}.jsonl").read_text("utf-8").splitlines()
        # The demo has few rows outside of training, of which templates may have nothing to tell.
        assert lines or split != "train"
        assert f"{len(lines)} {split}" in output
        for line in map(json.loads, lines):
            row = queries[line["query_id"]]
            assert split_of[row["target_id"]] == split
            assert [message["role"] for message in line["messages"]] == ["user", "assistant"]
            assert all(message["content"] for message in line["messages"])
            seen.append(line["query_id"])
    assert sorted(seen) == sorted(query_id for query_id, row in queries.items() if row["kept"])


@pytest.mark.long
def test_dialogues_become_plans_in_appbench_s_format(tmp_path: Path) -> None:
    command = ["sh", str(RECIPES / "sgd_to_appbench.sh"), str(DEMO / "sgd"), str(tmp_path / "out")]
    run(command, **environment(tmp_path))
    lines = {}
    for folder in ("appbench", "by-value"):
        text = (tmp_path / "out" / folder / "planning_paths.appbench.jsonl").read_text("utf-8")
        lines[folder] = [json.loads(line) for line in text.splitlines()]
        assert all(line["output"]["used_api"] for line in lines[folder])
    assert lines["appbench"] != lines["by-value"]
    rows = rows_of(tmp_path / "out" / "rows" / "planning_paths.parquet")
    assert len(rows) == len(lines["appbench"]) == len(lines["by-value"])
    drawn = {
        name: {row["path_id"] for row in rows_of(tmp_path / "out" / "rows" / "selected" / name)}
        for name in ("test", "train")
    }
    assert drawn["test"]
    assert drawn["train"]
    assert not drawn["test"] & drawn["train"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.prefect
def test_the_weekly_rebuild_publishes_to_its_bucket(
    tmp_path: Path, store: str, prefect_url: str
) -> None:
    recipe = tmp_path / "weekly"
    shutil.copytree(RECIPES / "weekly_rebuild", recipe)
    (recipe / "inbox").mkdir()
    for name in ("read-later.shortcut", "rain-or-shine.json"):
        shutil.copy(SHORTCUTS / name, recipe / "inbox")
    variables = environment(
        tmp_path,
        prefect_url,
        AWS_ENDPOINT_URL=store,
        AWS_ACCESS_KEY_ID="testing",
        AWS_SECRET_ACCESS_KEY="testing",  # noqa: S106 - a server of our own
        AWS_DEFAULT_REGION="us-east-1",
        no_proxy="127.0.0.1",
    )
    run(["sh", str(recipe / "weekly.sh"), str(tmp_path / "w"), "--once"], **variables)
    release = tmp_path / "w" / "releases" / "0.1.0"
    assert read_manifest(release).tables()["shortcuts"] == 2
    files = bucket(store)
    sent = {path.removeprefix("my-bucket/releases/") for path in files.find("my-bucket")}
    release_paths = {
        path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file()
    }
    assert sent == {"latest.json"} | {f"0.1.0/{path}" for path in release_paths}
    for path in release_paths:
        there = files.cat_file(f"my-bucket/releases/0.1.0/{path}")
        assert there == (release / path).read_bytes()


def test_the_weekly_rebuild_has_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("BENCHLOOM_"):
            monkeypatch.delenv(name)
    configuration = read_configuration(RECIPES / "weekly_rebuild" / "rebuild.toml")
    assert configuration.schedule.cron == "0 4 * * 1"
    assert "exec benchloom schedule" in (RECIPES / "weekly_rebuild" / "weekly.sh").read_text()


def test_every_recipe_is_named_in_the_list() -> None:
    listed = (RECIPES / "README.md").read_text(encoding="utf-8")
    for entry in RECIPES.iterdir():
        if entry.name not in {"README.md", "__init__.py", "__pycache__"}:
            assert f"[{entry.name}" in listed
