"""Tests of `benchloom apps`: they check the app table, ipatool downloads and evaluation split."""

import json
import os
import stat
from collections import Counter
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import App, DefinitionCheck, Shortcut
from benchloom.release import read_manifest
from benchloom.storage.tables import iter_records, write_table
from flows.cli import build_app
from flows.run.finished import open_stage
from scrapers.apps.ipatool import FetchedApp, fetch_apps, find_ipatool
from tests.support.samples.shortcuts import action, shortcut

FAKE_IPATOOL = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --bundle-identifier) app="$2" ;;
    --output) out="$2" ;;
  esac
  shift
done
case "$app" in
  org.example.slow) sleep 30 ;;
  org.example.denied) echo "license required for $app" >&2; exit 1 ;;
  org.example.silent) exit 0 ;;
esac
printf 'PK' > "$out"
"""


@pytest.fixture
def ipatool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    path = folder / "ipatool"
    path.write_text(FAKE_IPATOOL)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return path


def missing_app(app: str, *, paid: bool | None = None) -> App:
    return App(
        app=app,
        actions_seen=1,
        shortcuts=1,
        has_definitions=False,
        apis_seen=1,
        apis_missing=1,
        unlocks=1,
        store_link=f"https://store.example/{app}",
        paid=paid,
    )


def test_ipatool_runs_for_each_app(tmp_path: Path, ipatool: Path) -> None:
    folder = tmp_path / "bundles"
    names = ["good", "denied", "slow", "silent", "dear"]
    apps = [missing_app(f"org.example.{name}", paid=name == "dear" or None) for name in names]
    apps.append(missing_app("../escape"))
    outcomes = fetch_apps(apps, folder, command=find_ipatool(), seconds=0.5)
    assert [(o.app, o.outcome) for o in outcomes] == [
        ("org.example.good", "fetched"),
        ("org.example.denied", "failed"),
        ("org.example.slow", "failed"),
        ("org.example.silent", "failed"),
        ("org.example.dear", "skipped"),
        ("../escape", "skipped"),
    ]
    assert "license required" in outcomes[1].message
    assert "longer than" in outcomes[2].message
    assert [path.name for path in folder.iterdir()] == ["org.example.good.ipa"]
    second_outcomes = fetch_apps(apps[:1], folder, command=str(ipatool))
    assert second_outcomes == [FetchedApp("org.example.good", "present")]


def test_missing_ipatool_raises_run_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunError, match="not on PATH"):
        find_ipatool()


def write_shortcuts(folder: Path) -> Path:
    rows = [
        shortcut(action(0, "org.example.good.Do")),
        shortcut(action(0, "org.example.good.Do"), action(1, "org.other.thing.Go")),
    ]
    write_table("shortcuts", rows, folder / "shortcuts.parquet")
    return folder


def test_apps_command_lists_and_fetches_apps(
    tmp_path: Path, ipatool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ipatool.is_file()
    source = write_shortcuts(tmp_path / "shortcuts")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "apps.toml").write_text('["org.other.thing"]\nlegacy = true\n')
    base = ["apps", "--shortcuts", str(source), "--workspace", str(workspace)]
    build_app()([*base, "--fetch", "1", "--json"], standalone_mode=False)
    report = json.loads(capsys.readouterr().out)
    assert [(app["app"], app["unlocks"]) for app in report["apps"]] == [
        ("org.example.good", 1),
        ("org.other.thing", 0),
    ]
    assert report["fetched"] == [{"app": "org.example.good", "outcome": "fetched", "message": ""}]
    assert (workspace / "bundles" / "org.example.good.ipa").is_file()
    build_app()(base, standalone_mode=False)
    output = capsys.readouterr().out
    assert "lookup?bundleId=org.example.good" in output
    assert "[legacy]" in output


def test_apps_command_without_shortcuts_fails(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no table of shortcuts"):
        build_app()(["apps", "--workspace", str(tmp_path)], standalone_mode=False)


@pytest.mark.real_data
@pytest.mark.slow
def test_real_shortcuts_are_joined_with_their_definitions(rebuilt_workspace: Path) -> None:
    (stage,) = (rebuilt_workspace / "normalised").glob("evaluation-*")
    stage_mark = open_stage(stage)
    checks = list(iter_records(stage, "definition_checks", DefinitionCheck))
    rows = list(iter_records(stage, "shortcuts", Shortcut))
    assert stage_mark.rows["shortcuts"] == len(checks) == len(rows) > 500
    assert [c.shortcut_id for c in checks] == [r.shortcut_id for r in rows]
    assert sum(stage_mark.reasons.values()) == sum(not c.in_evaluation for c in checks)
    assert all(c.in_evaluation == (not c.exclusions) for c in checks)
    for check, row in zip(checks, rows, strict=True):
        assert [a.index for a in check.actions] == list(range(row.action_count))
        assert all((a.definition_id is None) == (a.reason is not None) for a in check.actions)
    assert Counter(reason for c in checks for reason in c.exclusions)["paid_app"] > 0
    actions = [a for c in checks for a in c.actions]
    assert sum(a.definition_id is not None for a in actions) > 0.98 * len(actions)
    apps = {app.app: app for app in iter_records(stage, "apps", App)}
    assert apps["dk.simonbs.DataJar"].paid
    assert apps["is.workflow.actions"].has_definitions
    steps = [step.stage for step in stage_mark.steps]
    assert steps[-1] == "evaluation-split"
    assert "parse-definitions" in steps
    (release,) = rebuilt_workspace.glob("releases/*/manifest.json")
    manifest = read_manifest(release.parent)
    assert {"api_definitions", "apps", "conflicts", "definition_checks", "rejected"} <= {
        table for table, count in manifest.tables().items() if count
    }
    assert "evaluation-split" in {step.stage for step in manifest.funnel}
