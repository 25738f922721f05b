"""Run each recipe of `examples/` unchanged on the files of the demo."""

import json
import os
import runpy
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
from tests.support.commands import command_folder
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.prefect_server import clean_environment
from tests.support.stores import KEY, SECRET, s3_environment, s3_server

RECIPES = Path(__file__).resolve().parents[2] / "examples"


def run_script(path: Path, *words: str, **variables: str) -> None:
    """Run a shell script in which `benchloom` is the tests' command."""
    with command_folder() as commands:
        completed = subprocess.run(
            ["sh", str(path), *words],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env=variables | {"PATH": f"{commands}{os.pathsep}{variables['PATH']}"},
        )
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.fixture
def store() -> Iterator[str]:
    """Run an S3 server with the recipe's bucket and yield its address."""
    with s3_server() as address:
        file_system(address).mkdir("my-bucket")
        yield address


def file_system(address: str) -> Any:
    """Return the file system of the S3 server."""
    return fsspec.filesystem(
        "s3",
        key=KEY,
        secret=SECRET,
        endpoint_url=address,
        use_listings_cache=False,
    )


def read_rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


@pytest.mark.long
def test_own_shortcuts_become_a_training_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = tmp_path / "w"
    monkeypatch.setattr(sys, "argv", ["own_shortcuts", str(SHORTCUTS), str(workspace)])
    runpy.run_module("examples.own_shortcuts", run_name="__main__")
    output = capsys.readouterr().out
    release = workspace / "releases" / "0.1.0"
    check_release(release)
    split_of = {row["shortcut_id"]: row["split"] for row in read_rows(release / "shortcuts")}
    queries = {row["query_id"]: row for row in read_rows(release / "queries")}
    query_ids = []
    for split in ("train", "validation", "test"):
        lines = (workspace / "training" / f"{split}.jsonl").read_text("utf-8").splitlines()
        # The demo has few rows outside of training, and templates may make no text for them.
        assert lines or split != "train"
        assert f"{len(lines)} {split}" in output
        for line in map(json.loads, lines):
            row = queries[line["query_id"]]
            assert split_of[row["target_id"]] == split
            assert [message["role"] for message in line["messages"]] == ["user", "assistant"]
            assert all(message["content"] for message in line["messages"])
            query_ids.append(line["query_id"])
    assert sorted(query_ids) == sorted(query_id for query_id, row in queries.items() if row["kept"])


@pytest.mark.long
def test_dialogues_become_plans_in_appbench_format(tmp_path: Path) -> None:
    words = (str(DEMO / "sgd"), str(tmp_path / "out"))
    run_script(RECIPES / "sgd_to_appbench.sh", *words, **clean_environment(tmp_path / "home"))
    lines = {}
    for folder in ("appbench", "by-value"):
        text = (tmp_path / "out" / folder / "planning_paths.appbench.jsonl").read_text("utf-8")
        lines[folder] = [json.loads(line) for line in text.splitlines()]
        assert all(line["output"]["used_api"] for line in lines[folder])
    assert lines["appbench"] != lines["by-value"]
    rows = read_rows(tmp_path / "out" / "rows" / "planning_paths.parquet")
    assert len(rows) == len(lines["appbench"]) == len(lines["by-value"])
    selected_ids = {
        name: {row["path_id"] for row in read_rows(tmp_path / "out" / "rows" / "selected" / name)}
        for name in ("test", "train")
    }
    assert selected_ids["test"]
    assert selected_ids["train"]
    assert not selected_ids["test"] & selected_ids["train"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.prefect
def test_weekly_rebuild_publishes_to_its_bucket(
    tmp_path: Path, store: str, prefect_url: str
) -> None:
    recipe = tmp_path / "weekly"
    shutil.copytree(RECIPES / "weekly_rebuild", recipe)
    (recipe / "inbox").mkdir()
    for name in ("read-later.shortcut", "rain-or-shine.json"):
        shutil.copy(SHORTCUTS / name, recipe / "inbox")
    variables = clean_environment(tmp_path / "home", prefect_url) | s3_environment(store)
    # Without an endpoint "auto" loads the local model, which takes as long as the rest of the test.
    variables["BENCHLOOM_GENERATE__WRITER"] = "template"
    run_script(recipe / "weekly.sh", str(tmp_path / "w"), "--once", **variables)
    release = tmp_path / "w" / "releases" / "0.1.0"
    assert read_manifest(release).tables()["shortcuts"] == 2
    files = file_system(store)
    published_paths = {path.removeprefix("my-bucket/releases/") for path in files.find("my-bucket")}
    release_paths = {
        path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file()
    }
    assert published_paths == {"latest.json"} | {f"0.1.0/{path}" for path in release_paths}
    for path in release_paths:
        published_content = files.cat_file(f"my-bucket/releases/0.1.0/{path}")
        assert published_content == (release / path).read_bytes()


def test_weekly_rebuild_is_scheduled(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("BENCHLOOM_"):
            monkeypatch.delenv(name)
    configuration = read_configuration(RECIPES / "weekly_rebuild" / "rebuild.toml")
    assert configuration.schedule.cron == "0 4 * * 1"
    assert "exec benchloom schedule" in (RECIPES / "weekly_rebuild" / "weekly.sh").read_text()


def test_readme_links_every_recipe() -> None:
    readme = (RECIPES / "README.md").read_text(encoding="utf-8")
    for entry in RECIPES.iterdir():
        if entry.name not in {"README.md", "__init__.py", "__pycache__"}:
            assert f"[{entry.name}" in readme
