"""Check that `benchloom rebuild` on Dask gives the same release, or ends with one line."""

import json
from pathlib import Path

import pytest

from benchloom.storage.workspace import workspace_lock
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.prefect_server import clean_environment
from tests.support.small_rebuild import SmallRebuild, change_world, configuration, write_world

pytestmark = [pytest.mark.long, pytest.mark.prefect]


def test_rebuild_on_dask_gives_the_same_release(
    tmp_path: Path, prefect_url: str, small_rebuild: SmallRebuild
) -> None:
    write_world(tmp_path / "world")
    change_world(tmp_path / "world")
    config = configuration(tmp_path / "world" / "dask.toml", 'engine.kind = "dask"')
    out = tmp_path / "dask"
    environment = clean_environment(tmp_path / "home", prefect_url)
    done = benchloom("rebuild", "--config", config, "--out", out, "--json", env=environment)
    assert done.returncode == 0, done.stderr
    assert "distributed" not in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["content_digest"] == small_rebuild.content_digest
    assert not list(out.glob(".cluster-*"))


def test_unreachable_engine_ends_a_rebuild_with_one_line(tmp_path: Path, prefect_url: str) -> None:
    config = tmp_path / "rebuild.toml"
    engine, sources = '[engine]\nkind = "dask"\n', f'[sources]\nshortcuts = ["{SHORTCUTS}"]\n'
    config.write_text(f'{engine}address = "tcp://127.0.0.1:9"\n{sources}')
    environment = clean_environment(tmp_path / "home", prefect_url)
    command = ("rebuild", "--config", config, "--out", tmp_path / "out")
    done = benchloom(*command, env=environment)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()[1:]
    assert line == (
        "benchloom: engine.address: tcp://127.0.0.1:9: no scheduler responded within 10 seconds; "
        "start a scheduler there, or see its log"
    )
    # The workspace contains only the record of the failed run, which `benchloom status` shows.
    assert [path.name for path in (tmp_path / "out").glob("*.json")] == ["last-run.json"]
    config.write_text(engine + sources)
    with workspace_lock(tmp_path / "out"):
        busy = benchloom(*command, env=environment)
    assert busy.returncode == 2
    assert "another run is writing here" in busy.stderr
