"""Check that `benchloom rebuild` allows one run per workspace and survives kills."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from benchloom.release import check_release
from benchloom.storage.tables import read_rows, table_parts
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS, write_shards
from tests.support.prefect_server import clean_environment, server_ids
from tests.support.soak import SOAK

pytestmark = pytest.mark.prefect

BENCHLOOM = [sys.executable, "-m", "flows.cli"]


@pytest.fixture
def config_path(tmp_path: Path) -> Path:
    """Write a configuration for a few shortcuts and return its path."""
    path = tmp_path / "rebuild.toml"
    shortcuts = write_shards(tmp_path / "in", "*.plist")
    path.write_text(f'workers = 2\n[sources]\nshortcuts = ["{shortcuts}"]\n')
    return path


def test_error_that_ends_a_rebuild_is_printed_once(tmp_path: Path, prefect_url: str) -> None:
    (tmp_path / "in").mkdir()
    zipfile.ZipFile(tmp_path / "in" / "empty.zip", "w").close()
    config_path = tmp_path / "rebuild.toml"
    config_path.write_text(f'[sources]\nshortcuts = ["{tmp_path / "in"}"]\n')
    command = ["rebuild", "--config", config_path, "--out", tmp_path / "w"]
    done = benchloom(*command, env=clean_environment(tmp_path / "home", prefect_url))
    assert done.returncode == 1
    expected_message = (
        f"benchloom: nothing to read under {tmp_path / 'in'}; put files there, or pass other inputs"
    )
    assert done.stderr.splitlines() == ["benchloom rebuild: starting...", expected_message]


def test_file_names_with_special_characters_become_shortcut_names(
    tmp_path: Path, prefect_url: str
) -> None:
    folder = tmp_path / "in"
    names = ("Wake up!.json", "Hi! there/And bye!.json", os.fsdecode(b"caf\xe9!.json"))
    for name, path in zip(names, sorted(SHORTCUTS.glob("*.json")), strict=False):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes().replace(b"WFWorkflowName", b"WFNoName"))
    with zipfile.ZipFile(folder / "more!.zip", "w") as archive:
        for path in sorted(SHORTCUTS.glob("*.json"))[len(names) : len(names) + 2]:
            archive.writestr(f"{path.stem}!.json", path.read_bytes())
    (folder / "loop").symlink_to("loop")
    config_path = tmp_path / "rebuild.toml"
    config_path.write_text(f'workers = 2\n[sources]\nshortcuts = ["{folder}"]\n')
    command = ["rebuild", "--config", config_path, "--workspace", tmp_path / "w"]
    done = benchloom(*command, env=clean_environment(tmp_path / "home", prefect_url))
    assert done.returncode == 0, done.stderr
    release = tmp_path / "w" / "releases" / "0.1.0"
    rows = [
        row
        for part in table_parts(release, "shortcuts")
        for row in read_rows(part, ["source_uri", "name"]).to_pylist()
    ]
    names_by_uri = {row["source_uri"]: row["name"] for row in rows}
    assert names_by_uri["Wake up!.json"] == "Wake up!"
    assert names_by_uri["Hi! there/And bye!.json"] == "And bye!"
    assert names_by_uri["caf\\udce9!.json"] == "caf\\udce9!"
    assert sum(uri.startswith("more!.zip!") for uri in names_by_uri) == 2
    rejected_tables = [read_rows(part) for part in table_parts(release, "rejected")]
    assert [row["source_uri"] for rows in rejected_tables for row in rows.to_pylist()] == ["loop"]


@pytest.mark.long
@pytest.mark.parametrize("max_file_bytes", [10_000, 60_000])
def test_full_disk_ends_a_rebuild_with_one_line(
    tmp_path: Path, config_path: Path, prefect_url: str, max_file_bytes: int
) -> None:
    environment = clean_environment(tmp_path / "home", prefect_url)
    command = ("rebuild", "--config", config_path, "--out", tmp_path / "w")
    stopped = benchloom(*command, env=environment, most=max_file_bytes)
    assert stopped.returncode == 2, stopped.stderr
    assert "Traceback" not in stopped.stderr
    last_line = stopped.stderr.splitlines()[-1]
    assert last_line.startswith("benchloom: ")
    assert "File too large" in last_line or "errno 27" in last_line or "full" in last_line
    assert not (tmp_path / "w" / "releases" / "latest.json").exists()


@pytest.mark.skipif(
    not SOAK, reason="test_rebuild_after_failures.py kills one run at a chosen moment"
)
def test_rebuild_after_kills_ends_in_the_same_release(
    tmp_path: Path, config_path: Path, prefect_url: str
) -> None:
    home = tmp_path / "home"
    command = [*BENCHLOOM, "rebuild", "--config", str(config_path), "--json"]

    # This run has another hash seed than the runs that are killed.
    def run_to_the_end(out: Path) -> dict[str, object]:
        done = benchloom(*command[3:], "--out", out, env=clean_environment(home, prefect_url))
        assert done.returncode == 0, done.stderr
        summary: dict[str, object] = json.loads(done.stdout)
        return summary

    start = time.monotonic()
    expected = run_to_the_end(tmp_path / "undisturbed")
    # The killed runs must import the modules first, and some start a Prefect server.
    longest_wait = 2 * (time.monotonic() - start)
    generator = random.Random(20261122)
    out = tmp_path / "killed"
    for kill in range(10):
        # Every second run starts a Prefect server, which must end with the run.
        server = prefect_url if kill % 2 else None
        with (tmp_path / "log").open("wb") as log:
            run = subprocess.Popen(
                [*command, "--out", str(out)],
                env=clean_environment(home, server),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
            try:
                run.wait(timeout=generator.uniform(0.5, longest_wait))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.wait(timeout=30)
        deadline = time.monotonic() + 20
        while server_ids(home) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert server_ids(home) == []
    final = run_to_the_end(out)
    assert final["content_digest"] == expected["content_digest"]
    assert final["version"] == "0.1.0"
    check_release(Path(str(final["release"])))


def test_second_rebuild_of_a_workspace_is_refused(
    tmp_path: Path, config_path: Path, prefect_url: str
) -> None:
    command = [*BENCHLOOM, "rebuild", "--config", str(config_path), "--out", str(tmp_path / "w")]
    home = clean_environment(tmp_path / "home", prefect_url)
    benchloom("--help", env=home)  # the server that commands are forked from takes seconds to start
    with subprocess.Popen(
        command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as first:
        deadline = time.monotonic() + 60
        while not (tmp_path / "w" / ".lock").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        second = benchloom(*command[3:], env=home)
        first.kill()
    assert second.returncode == 2
    assert "another run is writing here" in second.stderr
    assert "Traceback" not in second.stderr
