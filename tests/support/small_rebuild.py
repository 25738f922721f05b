"""A small world with every kind of input, and one undisturbed rebuild of it.

Each process makes it once. Tests read what Prefect shows of it, and compare its bytes with those of
rebuilds that were interrupted, that continue from other inputs or that run on a cluster. A rebuild
takes ten seconds of processor time, however small its inputs are.
"""

import json
import plistlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchloom.release import read_manifest
from benchloom.release.manifest import Manifest
from demo.drafts import Draft
from tests.support.commands import benchloom
from tests.support.demo_world import DEMO, SHORTCUTS, fill_shards
from tests.support.prefect_server import DATABASE, Api, clean_environment, wait_for

SECRET = "sk-not-a-key-of-anybody"
"""A secret in the environment of the rebuild that no output may contain."""
_NAMES = ("bread-timer.json", "call-the-office.plist", "rain-or-shine.json", "tip-for-the-waiter")
RELEASE_ASSET = "benchloom://benchloom"
"""The key of a release without a name."""
_CONFIGURATION = """workers = 2
{further}
[sources]
shortcuts = ["shortcuts"]
definitions = ["definitions"]
sgd = ["sgd"]
[sgd]
drop = ["retried"]
[generate]
steps = ["query", "instruction"]
writer = "template"
"""
_MOVES = """
CREATE TABLE moves (number INTEGER PRIMARY KEY, name TEXT, data TEXT);
CREATE TRIGGER moved_new AFTER INSERT ON artifact WHEN NEW.type = 'progress'
BEGIN INSERT INTO moves (name, data) VALUES (NEW."key", NEW.data); END;
CREATE TRIGGER moved AFTER UPDATE OF data ON artifact WHEN NEW.type = 'progress'
BEGIN INSERT INTO moves (name, data) VALUES (
    (SELECT "key" FROM artifact WHERE id = NEW.id), NEW.data); END;
"""
"""Triggers that record every value of a progress, because the server keeps only the last."""


@dataclass(frozen=True)
class SmallRebuild:
    """A finished rebuild with all that Prefect has recorded about it."""

    config: Path
    environment: dict[str, str]
    release: Path
    content_digest: str
    manifest: Manifest
    errors: str
    artifacts: dict[str, dict[str, Any]]
    flow_runs: list[dict[str, Any]]
    task_runs: list[dict[str, Any]]
    flows: dict[str, str]
    logs: list[dict[str, Any]]
    moves: dict[str, list[float]]
    assets: dict[str, dict[str, Any]]

    def root(self) -> dict[str, Any]:
        """Return the flow run of the whole rebuild."""
        (root_run,) = [run for run in self.flow_runs if run["parent_task_run_id"] is None]
        return root_run

    def lines(self, run: dict[str, Any]) -> list[str]:
        """Return the messages that a run logged."""
        return [log["message"] for log in self.logs if log["flow_run_id"] == run["id"]]


def configuration(path: Path, further: str = "") -> Path:
    """Write the configuration of a rebuild of the world, with an additional line."""
    path.write_text(_CONFIGURATION.format(further=further), encoding="utf-8")
    return path


def write_world(folder: Path) -> None:
    """Write the world before its changes: shortcuts, definitions and dialogues."""
    (folder / "shortcuts").mkdir(parents=True)
    for path in sorted(SHORTCUTS.iterdir()):
        if path.name.startswith(_NAMES):
            shutil.copy(path, folder / "shortcuts")
    fill_shards(folder / "shortcuts")
    shutil.copytree(DEMO / "data" / "definitions", folder / "definitions")
    shutil.copytree(DEMO / "sgd", folder / "sgd")
    (folder / "sgd" / "dev" / "schema.json").unlink()
    dialogue_file = folder / "sgd" / "train" / "dialogues_001.json"
    rows = json.loads(dialogue_file.read_text(encoding="utf-8"))
    dialogue_file.unlink()
    for number, row in enumerate(rows):
        (dialogue_file.parent / f"dialogues_1{number:02d}.json").write_text(json.dumps([row]))


def change_world(folder: Path) -> None:
    """Add, remove and edit some shortcuts and dialogues."""
    files, train = folder / "shortcuts", folder / "sgd" / "train"
    for path in sorted((SHORTCUTS / "odd").iterdir()):
        shutil.copy(path, files)
    shutil.copy(SHORTCUTS / "read-later.shortcut", files)
    (files / "bread-timer.json").unlink()
    draft = Draft("Call a friend")
    draft.add("comment", WFCommentActionText="Write to anna@nordhafen-post.de")
    (files / "call-the-office.plist").write_bytes(plistlib.dumps(draft.build()))
    (train / "dialogues_100.json").rename(train / "dialogues_900.json")
    (train / "dialogues_101.json").unlink()
    text = (train / "dialogues_103.json").read_text(encoding="utf-8")
    assert "please" in text
    (train / "dialogues_103.json").write_text(text.replace("please", "if you would"))


@pytest.fixture(scope="session")
def small_rebuild(
    tmp_path_factory: pytest.TempPathFactory, prefect_home: Path, prefect_url: str
) -> SmallRebuild:
    """Return the rebuild of the changed world; a test that damages its release must repair it."""
    folder = tmp_path_factory.mktemp("small")
    write_world(folder)
    change_world(folder)
    config = configuration(folder / "rebuild.toml")
    secrets = {"HF_TOKEN": SECRET, "OPENAI_API_KEY": SECRET}
    environment = clean_environment(folder / "home", prefect_url) | secrets
    words = ("rebuild", "--config", config, "--out", folder / "shop", "--json")
    database = prefect_home / DATABASE
    # Nothing else runs on the server, so all later runs belong to this rebuild.
    since = {"after_": datetime.now(UTC).isoformat()}
    with _record_moves(database):
        completed = benchloom(*words, env=environment)
        moves = _moves(database)
    assert completed.returncode == 0, completed.stderr
    report = json.loads(completed.stdout)
    assert "unchanged" not in report
    release = Path(report["release"])
    manifest = read_manifest(release)
    keys = {RELEASE_ASSET, *(f"{RELEASE_ASSET}/{table}" for table in manifest.tables())}
    with closing(Api(prefect_url)) as api:
        # Wait for the events first, because the server derives the states of task runs from them.
        assets = asset_events(api, since["after_"], keys)
        flow_runs = api.read_rows("flow_runs", flow_runs={"start_time": since})
        run_filter = {"flow_run_id": {"any_": [run["id"] for run in flow_runs]}}
        artifacts = api.read_rows("artifacts", artifacts=run_filter)
        return SmallRebuild(
            config=config,
            environment=environment,
            release=release,
            content_digest=report["content_digest"],
            manifest=manifest,
            errors=completed.stderr,
            artifacts={artifact["key"]: artifact for artifact in artifacts},
            flow_runs=flow_runs,
            task_runs=api.read_rows("task_runs", task_runs={"start_time": since}),
            flows={flow["id"]: flow["name"] for flow in api.read_rows("flows")},
            logs=api.read_rows("logs", logs={"timestamp": since}, sort="TIMESTAMP_ASC"),
            moves=moves,
            assets=assets,
        )


def asset_events(api: Api, since: str, keys: set[str]) -> dict[str, dict[str, Any]]:
    """Return the events of assets by key, once the server has stored those of `keys`.

    A task run sends the events of its assets in any order, and the server stores them in batches.
    """
    event_filter = {
        "event": {"name": ["prefect.asset.materialization.succeeded"]},
        "occurred": {"since": since},
    }

    def events() -> dict[str, dict[str, Any]]:
        rows = api.post("/events/filter", filter=event_filter, limit=50)["events"]
        return {row["resource"]["prefect.resource.id"]: row for row in rows}

    wait_for("events of assets", lambda: keys <= events().keys())
    return events()


@contextmanager
def _record_moves(database: Path) -> Iterator[None]:
    """Record every value of a progress artifact in Prefect's database until the block ends."""
    with closing(sqlite3.connect(database, timeout=60)) as connection:
        connection.executescript(_MOVES)
    yield
    with closing(sqlite3.connect(database, timeout=60)) as connection:
        connection.executescript("DROP TRIGGER moved; DROP TRIGGER moved_new; DROP TABLE moves;")


def _moves(database: Path) -> dict[str, list[float]]:
    """Return the successive values of each progress by name, without repetitions."""
    values_by_name: dict[str, list[float]] = {}
    with closing(sqlite3.connect(database)) as connection:
        for name, data in connection.execute("SELECT name, data FROM moves ORDER BY number"):
            values = values_by_name.setdefault(name, [])
            if values[-1:] != [float(data)]:
                values.append(float(data))
    return values_by_name
