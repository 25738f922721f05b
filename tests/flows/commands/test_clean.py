"""`benchloom clean` removes what newer stages replaced, and nothing else."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchloom.core.errors import RunError
from benchloom.storage.workspace import workspace_lock
from flows.cli import build_app

KEYS = [f"{number:016x}" for number in range(4)]


def stage(workspace: Path, place: str, made: float, *, finished: bool = True) -> Path:
    folder = workspace / place
    (folder / "rows").mkdir(parents=True)
    (folder / "rows" / "part.parquet").write_bytes(b"x" * 1000)
    if finished:
        (folder / "stage.json").write_text("{}")
        os.utime(folder / "stage.json", (made, made))
    os.utime(folder, (made, made))
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for age, key in enumerate(KEYS):
        stage(tmp_path, f"parsed/shortcuts-{key}", 1_000_000 - age)
    stage(tmp_path, f"parsed/definitions-{KEYS[0]}", 1)
    stage(tmp_path, f"normalised/enriched-{KEYS[0]}", 500, finished=False)
    stage(tmp_path, f"normalised/enriched-{KEYS[1]}", 400)
    stage(tmp_path, f"normalised/enriched-{KEYS[2]}", 300)
    stage(tmp_path, "parsed/listings", 1)
    stage(tmp_path, f"captures/site-{KEYS[0]}", 1)
    stage(tmp_path, "releases/0.1.0", 1)
    (tmp_path / "completions.sqlite").write_bytes(b"paid for")
    return tmp_path


def clean(workspace: Path, *words: str) -> list[str]:
    done = CliRunner().invoke(
        build_app(), ["clean", "--workspace", str(workspace), "--json", *words]
    )
    if done.exception is not None:
        raise done.exception
    summary = json.loads(done.stdout)
    assert summary["bytes"] >= 1000 * len(summary["removed"])
    return list(summary["removed"])


def folders(workspace: Path) -> set[str]:
    paths = (path for root in workspace.iterdir() if root.is_dir() for path in root.iterdir())
    return {path.relative_to(workspace).as_posix() for path in paths}


def test_the_newest_of_every_stage_stay(workspace: Path) -> None:
    before = folders(workspace)
    stale = {
        f"parsed/shortcuts-{KEYS[2]}",
        f"parsed/shortcuts-{KEYS[3]}",
        f"normalised/enriched-{KEYS[2]}",
    }
    assert set(clean(workspace, "--dry-run")) == stale
    assert folders(workspace) == before
    assert set(clean(workspace)) == stale
    assert folders(workspace) == before - stale
    assert clean(workspace) == []
    assert (workspace / "completions.sqlite").read_bytes() == b"paid for"
    assert set(clean(workspace, "--keep", "1")) == {
        f"parsed/shortcuts-{KEYS[1]}",
        f"normalised/enriched-{KEYS[1]}",
    }


def test_a_workspace_in_use_is_left_alone(workspace: Path) -> None:
    before = folders(workspace)
    with workspace_lock(workspace), pytest.raises(RunError, match="another run is writing"):
        clean(workspace)
    assert folders(workspace) == before
