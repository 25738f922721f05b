"""`benchloom schedule`: releases under a shortened clock, refusals, and an end without remains."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchloom.release import check_release
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.prefect_server import Api, clean_environment, wait_for

FEW_RUNS = {
    "PREFECT_SERVER_SERVICES_SCHEDULER_MAX_RUNS": "10",
    "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "20",
}
"""Limits on scheduled runs: by default Prefect would store a hundred of a schedule of five seconds
together, which takes its server longer than all runs of the test."""
DUE = r"run due \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: "
SERVING = re.compile(r"serving rebuild/(\S+) every \S+ s; Prefect: (\S+)")


def ours(home: Path) -> dict[int, bytes]:
    """Command lines of what runs with a home of ours, by number."""
    command_lines: dict[int, bytes] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                command_lines[int(entry.name)] = (entry / "cmdline").read_bytes()
        except OSError:
            continue
    return command_lines


def scheduled_runs(home: Path) -> list[int]:
    """Runs that the schedule has started and that go on."""
    return [number for number, words in ours(home).items() if b"-m\0prefect.engine" in words]


def is_locked(workspace: Path) -> bool:
    """Whether a run writes in a workspace, by the kernel's list of locks."""
    inode = (workspace / ".lock").stat().st_ino if (workspace / ".lock").exists() else -1
    return any(f":{inode} " in line for line in Path("/proc/locks").read_text().splitlines())


@pytest.mark.long
@pytest.mark.prefect
def test_a_failed_run_a_release_a_refusal_and_an_end_in_order(tmp_path: Path) -> None:
    workspace, home, inputs = tmp_path / "w", tmp_path / "home", tmp_path / "in"
    inputs.mkdir()
    shutil.copy(SHORTCUTS / "focus-on-work.shortcut", inputs)
    config = tmp_path / "rebuild.toml"

    def configure(shortcuts: str) -> None:
        # Whole at once: a run may read it at any moment.
        written = tmp_path / "written.toml"
        written.write_text(f'[sources]\nshortcuts = ["{shortcuts}"]\n')
        written.replace(config)

    configure("in")
    log = tmp_path / "schedule.log"
    command = [sys.executable, "-m", "flows.cli", "schedule", "--every", "5"]
    command += ["--config", str(config), "--workspace", str(workspace)]
    latest = workspace / "releases" / "latest.json"

    def version() -> str:
        release_version = json.loads(latest.read_text())["version"] if latest.is_file() else ""
        assert isinstance(release_version, str)
        return release_version

    with log.open("wb") as out:
        schedule = subprocess.Popen(
            command,
            env=clean_environment(home) | FEW_RUNS,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        served = wait_for("the schedule", lambda: SERVING.search(log.read_text()))
        api = Api(f"{served[2]}/api")

        # A run that fails is no end of the schedule.
        configure("gone")
        failed = wait_for(
            "a failed run",
            lambda: [state for state in api.states(served[1]) if state["type"] == "FAILED"],
        )
        assert "no such file or folder" in failed[0]["message"]
        configure("in")
        wait_for(
            "the word of the failed run",
            lambda: re.search(rf"{DUE}failed after .*no such file or folder", log.read_text()),
        )

        # Another start while a run writes; it is held still to make sure that it does.
        def held() -> int | None:
            for number in scheduled_runs(home):
                os.kill(number, signal.SIGSTOP)
                if is_locked(workspace):
                    return number
                os.kill(number, signal.SIGCONT)
            return None

        run = wait_for("a run that writes", held)
        words = ("rebuild", "--config", config, "--out", workspace)
        refused = benchloom(*words)
        assert refused.returncode == 2
        said = f"{workspace}: another run is writing here; wait for it or choose another"
        assert refused.stderr == f"benchloom rebuild: starting...\nbenchloom: {said}\n"
        # What is due while it is held is skipped.
        wait_for(
            "a skipped run", lambda: "skipped, the previous run is still active" in log.read_text()
        )
        os.kill(run, signal.SIGCONT)
        wait_for("the first release", lambda: version() == "0.1.0")

        names = {state["name"] for state in api.states(served[1])}
        assert names >= {"Failed", "Skipped"}
        wait_for("a completed run", lambda: re.search(rf"{DUE}completed after", log.read_text()))
        for pattern in (f"{DUE}started", rf"{DUE}completed after [\d.]+ m?i?n? ?s?", "next run: "):
            assert re.search(pattern, log.read_text()), pattern
        check_release(workspace / "releases" / "0.1.0")
        api.close()

        # It ends in order, with a run under way, and leaves nothing behind.
        wait_for("a run under way", lambda: scheduled_runs(home))
        schedule.send_signal(signal.SIGTERM)
        assert schedule.wait(timeout=60) == 143
        ends = [line for line in log.read_text().splitlines() if "the same command" in line]
        assert ends == [log.read_text().splitlines()[-1]]
        assert ends[0].startswith("benchloom: terminated; run the same command again to continue; ")
    finally:
        schedule.kill()
        schedule.wait()
    wait_for("the end of all it started", lambda: not ours(home), 30)
    assert "Traceback" not in log.read_text()
    assert "RuntimeWarning" not in log.read_text()
    assert list(home.iterdir()) == []


@pytest.mark.long
@pytest.mark.prefect
def test_a_killed_schedule_leaves_no_server(tmp_path: Path) -> None:
    home = tmp_path / "home"
    config = tmp_path / "rebuild.toml"
    config.write_text(f'[sources]\nshortcuts = ["{SHORTCUTS}"]\n[schedule]\ncron = "0 0 1 1 *"\n')
    command = [sys.executable, "-m", "flows.cli", "schedule", "--config", str(config)]
    schedule = subprocess.Popen(
        [*command, "--workspace", str(tmp_path / "w")],
        env=clean_environment(home),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert schedule.stderr is not None
    try:
        assert any("'0 0 1 1 *' (UTC)" in line for line in schedule.stderr)
        assert any(b"flows.engine.server.own" in words for words in ours(home).values())
    finally:
        schedule.kill()
        schedule.communicate(timeout=30)
    wait_for("the end of the server", lambda: not ours(home), 30)


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", [], "no schedule: pass --cron"),
        ("", ["--cron", "often"], "schedule.cron: 'often'"),
        ("", ["--cron", "0 4 * * *", "--timezone", "Moon/Sea"], "schedule.timezone: 'Moon/Sea'"),
        ('[schedule]\ncron = "60 * * * *"\n', [], "schedule.cron: '60 * * * *'"),
        ("[schedule]\ncrom = 1\n", [], "[schedule] unknown key 'crom'; did you mean 'cron'?"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_refused(
    tmp_path: Path, text: str, options: list[str], said: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.shortcut").touch()
    (tmp_path / "rebuild.toml").write_text(f'sources.shortcuts = ["in"]\n{text}')
    started = time.monotonic()
    done = benchloom("schedule", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.splitlines()[0] == "benchloom schedule: starting..."
    assert done.stderr.count("\n") == 2
    assert time.monotonic() - started < 60
