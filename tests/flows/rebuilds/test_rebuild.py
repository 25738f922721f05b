"""The command `benchloom rebuild`: one per workspace, and the same release after many kills."""

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
def config(tmp_path: Path) -> Path:
    path = tmp_path / "rebuild.toml"
    shortcuts = write_shards(tmp_path / "in", "*.plist")
    path.write_text(f'workers = 2\n[sources]\nshortcuts = ["{shortcuts}"]\n')
    return path


def test_a_fault_that_ends_a_run_is_said_once(tmp_path: Path, prefect_url: str) -> None:
    (tmp_path / "in").mkdir()
    zipfile.ZipFile(tmp_path / "in" / "empty.zip", "w").close()
    config = tmp_path / "rebuild.toml"
    config.write_text(f'[sources]\nshortcuts = ["{tmp_path / "in"}"]\n')
    command = ["rebuild", "--config", config, "--out", tmp_path / "w"]
    done = benchloom(*command, env=clean_environment(tmp_path / "home", prefect_url))
    assert done.returncode == 1
    said = (
        f"benchloom: nothing to read under {tmp_path / 'in'}; put files there, or pass other inputs"
    )
    assert done.stderr.splitlines() == ["benchloom rebuild: starting...", said]


def test_files_are_called_as_people_call_them(tmp_path: Path, prefect_url: str) -> None:
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
    config = tmp_path / "rebuild.toml"
    config.write_text(f'workers = 2\n[sources]\nshortcuts = ["{folder}"]\n')
    command = ["rebuild", "--config", config, "--workspace", tmp_path / "w"]
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
    refused = [read_rows(part) for part in table_parts(release, "rejected")]
    assert [row["source_uri"] for rows in refused for row in rows.to_pylist()] == ["loop"]


@pytest.mark.long
@pytest.mark.parametrize("most", [10_000, 60_000])
def test_a_disk_that_takes_no_more_ends_a_run_in_one_line(
    tmp_path: Path, config: Path, prefect_url: str, most: int
) -> None:
    environment = clean_environment(tmp_path / "home", prefect_url)
    words = ("rebuild", "--config", config, "--out", tmp_path / "w")
    stopped = benchloom(*words, env=environment, most=most)
    assert stopped.returncode == 2, stopped.stderr
    assert "Traceback" not in stopped.stderr
    last = stopped.stderr.splitlines()[-1]
    assert last.startswith("benchloom: ")
    assert "File too large" in last or "errno 27" in last or "full" in last
    assert not (tmp_path / "w" / "releases" / "latest.json").exists()


@pytest.mark.skipif(not SOAK, reason="one kill of a chosen moment is in test_rebuild_again.py")
def test_killed_rebuilds_end_in_the_same_release(
    tmp_path: Path, config: Path, prefect_url: str
) -> None:
    home = tmp_path / "home"
    command = [*BENCHLOOM, "rebuild", "--config", str(config), "--json"]

    # Its hashes have another seed than those of the runs that are killed.
    def finish(out: Path) -> dict[str, object]:
        done = benchloom(*command[3:], "--out", out, env=clean_environment(home, prefect_url))
        assert done.returncode == 0, done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    start = time.monotonic()
    expected = finish(tmp_path / "undisturbed")
    # Those import what is imported here already, and start a server.
    whole = 2 * (time.monotonic() - start)
    chance = random.Random(20261122)
    out = tmp_path / "killed"
    for kill in range(10):
        # Every other one has a server of its own, which must not outlive it.
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
                run.wait(timeout=chance.uniform(0.5, whole))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.wait(timeout=30)
        deadline = time.monotonic() + 20
        while server_ids(home) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert server_ids(home) == []
    final = finish(out)
    assert final["content_digest"] == expected["content_digest"]
    assert final["version"] == "0.1.0"
    check_release(Path(str(final["release"])))


def test_one_writer_per_workspace(tmp_path: Path, config: Path, prefect_url: str) -> None:
    command = [*BENCHLOOM, "rebuild", "--config", str(config), "--out", str(tmp_path / "w")]
    home = clean_environment(tmp_path / "home", prefect_url)
    benchloom("--help", env=home)  # what commands are forked from takes seconds to start
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
