"""Check that `benchloom clean` removes the stages that newer stages replaced, and nothing else."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchloom.core.errors import RunError
from benchloom.storage.workspace import workspace_lock
from flows.cli import build_app

KEYS = [f"{number:016x}" for number in range(4)]


def write_stage(
    workspace: Path, stage_path: str, modified_at: float, *, finished: bool = True
) -> Path:
    folder = workspace / stage_path
    (folder / "rows").mkdir(parents=True)
    (folder / "rows" / "part.parquet").write_bytes(b"x" * 1000)
    if finished:
        (folder / "stage.json").write_text("{}")
        os.utime(folder / "stage.json", (modified_at, modified_at))
    os.utime(folder, (modified_at, modified_at))
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for age, key in enumerate(KEYS):
        write_stage(tmp_path, f"parsed/shortcuts-{key}", 1_000_000 - age)
    write_stage(tmp_path, f"parsed/definitions-{KEYS[0]}", 1)
    write_stage(tmp_path, f"normalised/enriched-{KEYS[0]}", 500, finished=False)
    write_stage(tmp_path, f"normalised/enriched-{KEYS[1]}", 400)
    write_stage(tmp_path, f"normalised/enriched-{KEYS[2]}", 300)
    write_stage(tmp_path, "parsed/listings", 1)
    write_stage(tmp_path, f"captures/site-{KEYS[0]}", 1)
    write_stage(tmp_path, "releases/0.1.0", 1)
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


def list_folders(workspace: Path) -> set[str]:
    paths = (path for root in workspace.iterdir() if root.is_dir() for path in root.iterdir())
    return {path.relative_to(workspace).as_posix() for path in paths}


def test_newest_folders_of_every_stage_remain(workspace: Path) -> None:
    before = list_folders(workspace)
    stale = {
        f"parsed/shortcuts-{KEYS[2]}",
        f"parsed/shortcuts-{KEYS[3]}",
        f"normalised/enriched-{KEYS[2]}",
    }
    assert set(clean(workspace, "--dry-run")) == stale
    assert list_folders(workspace) == before
    assert set(clean(workspace)) == stale
    assert list_folders(workspace) == before - stale
    assert clean(workspace) == []
    assert (workspace / "completions.sqlite").read_bytes() == b"paid for"
    assert set(clean(workspace, "--keep", "1")) == {
        f"parsed/shortcuts-{KEYS[1]}",
        f"normalised/enriched-{KEYS[1]}",
    }


def test_locked_workspace_is_not_cleaned(workspace: Path) -> None:
    before = list_folders(workspace)
    with workspace_lock(workspace), pytest.raises(RunError, match="another run is writing"):
        clean(workspace)
    assert list_folders(workspace) == before
