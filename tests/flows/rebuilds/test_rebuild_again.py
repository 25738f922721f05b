"""A rebuild of changed inputs in an old workspace has every byte of one in a fresh workspace."""

import json
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from benchloom.release import read_manifest
from demo.drafting import Draft
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS
from tests.support.prefect_server import clean_environment, wait_for

pytestmark = pytest.mark.prefect

NAMES = ("bread-timer.json", "call-the-office.plist", "rain-or-shine.json", "tip-for-the-waiter")
CONFIG = """workers = 2
version = "{version}"
[sources]
shortcuts = ["shortcuts"]
definitions = ["definitions"]
sgd = ["sgd"]
[generate]
steps = ["query", "instruction"]
writer = "template"
"""
FACTS = ("manifest.json", "manifest.sha256")
"""Files that tell when a release was made, and after which."""


def write_world(folder: Path) -> None:
    (folder / "shortcuts").mkdir()
    for path in sorted(SHORTCUTS.iterdir()):
        if path.name.startswith(NAMES):
            shutil.copy(path, folder / "shortcuts")
    shutil.copytree(DEMO / "data" / "definitions", folder / "definitions")
    whole = DEMO / "sgd" / "train"
    train = folder / "sgd" / "train"
    train.mkdir(parents=True)
    shutil.copy(whole / "schema.json", train)
    rows = json.loads((whole / "dialogues_001.json").read_text(encoding="utf-8"))
    for number, row in enumerate(rows[:6]):
        (train / f"dialogues_{number:03d}.json").write_text(json.dumps([row]))


def change_world(folder: Path) -> None:
    """Of shortcuts and of dialogues one is new, one gone and one another."""
    files, train = folder / "shortcuts", folder / "sgd" / "train"
    shutil.copy(SHORTCUTS / "read-later.shortcut", files)
    (files / "bread-timer.json").unlink()
    draft = Draft("Call a friend")
    draft.add("comment", WFCommentActionText="Write to anna@nordhafen-post.de")
    (files / "call-the-office.plist").write_bytes(plistlib.dumps(draft.build()))
    (train / "dialogues_000.json").rename(train / "dialogues_900.json")
    (train / "dialogues_001.json").unlink()
    said = (train / "dialogues_002.json").read_text(encoding="utf-8")
    (train / "dialogues_002.json").write_text(said.replace("please", "if you would"))


def damage(workspace: Path) -> int:
    """Change a byte of every second file that is kept for the next run, and of a shard's part."""
    kept = sorted(path for path in (workspace / "reused").rglob("*") if path.is_file())
    parts = sorted((workspace / "parsed").glob("*/dialogues/*.parquet"))
    chosen = [path for path in [*kept[::2], *parts[:1]] if path.stat().st_size]
    for path in chosen:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    return len(chosen)


def content(release: Path) -> dict[str, bytes]:
    return {
        path.relative_to(release).as_posix(): path.read_bytes()
        for path in sorted(release.rglob("*"))
        if path.is_file() and path.name not in FACTS
    }


def test_every_byte_is_that_of_a_fresh_workspace(tmp_path: Path, prefect_url: str) -> None:
    write_world(tmp_path)
    config = tmp_path / "rebuild.toml"
    environment = clean_environment(tmp_path / "home", prefect_url)

    def words(out: str) -> list[str]:
        return ["rebuild", "--json", "--config", str(config), "--workspace", str(tmp_path / out)]

    def rebuilt(out: str) -> Path:
        done = benchloom(*words(out), env=environment)
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["release"])

    config.write_text(CONFIG.format(version="1.0.0"))
    first = rebuilt("old")
    change_world(tmp_path)
    config.write_text(CONFIG.format(version="2.0.0"))
    assert damage(tmp_path / "old") > 4
    run = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *words("old")],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # Searches and texts of this run are kept by then, and most of the stages are there.
    found = tmp_path / "old" / "generated"
    wait_for("the second step", lambda: len(list(found.glob("query-*"))) > 1 or run.poll())
    run.kill()
    assert run.wait() < 0
    assert not (tmp_path / "old" / "releases" / "2.0.0").exists()
    again, fresh = rebuilt("old"), rebuilt("fresh")
    assert content(again) == content(fresh) != content(first)
    manifests = [
        msgspec.structs.replace(manifest, made=one.made, previous=None)
        for one in [read_manifest(fresh)]
        for manifest in (one, read_manifest(again))
    ]
    assert manifests[0] == manifests[1]
