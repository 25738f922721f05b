"""Tests of `benchloom schedule` with a short interval: they check runs, refusals and its end."""

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
"""Limits on stored runs: by default Prefect stores a hundred runs of a five-second schedule
together, which takes its server longer than all runs of the test."""
RUN_DUE = r"run due \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: "
SERVING_LINE = re.compile(r"serving rebuild/(\S+) every \S+ s; Prefect: (\S+)")


def processes_of(home: Path) -> dict[int, bytes]:
    """Return the command lines of all processes with this home, by process id."""
    command_lines: dict[int, bytes] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                command_lines[int(entry.name)] = (entry / "cmdline").read_bytes()
        except OSError:
            continue
    return command_lines


def scheduled_runs(home: Path) -> list[int]:
    """Return the process ids of active runs that the schedule has started."""
    return [
        number for number, words in processes_of(home).items() if b"-m\0prefect.engine" in words
    ]


def is_locked(workspace: Path) -> bool:
    """Return whether a run holds the workspace's lock, by the kernel's list of locks."""
    inode = (workspace / ".lock").stat().st_ino if (workspace / ".lock").exists() else -1
    return any(f":{inode} " in line for line in Path("/proc/locks").read_text().splitlines())


@pytest.mark.long
@pytest.mark.prefect
def test_schedule_reports_failure_release_refusal_and_end(tmp_path: Path) -> None:
    workspace, home, inputs = tmp_path / "w", tmp_path / "home", tmp_path / "in"
    inputs.mkdir()
    shutil.copy(SHORTCUTS / "focus-on-work.shortcut", inputs)
    config = tmp_path / "rebuild.toml"

    def configure(shortcuts: str) -> None:
        # Replace the whole file, because a run may read it at any moment.
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
        serving_match = wait_for("the schedule", lambda: SERVING_LINE.search(log.read_text()))
        api = Api(f"{serving_match[2]}/api")

        # A failed run does not end the schedule.
        configure("gone")
        failed_states = wait_for(
            "a failed run",
            lambda: [state for state in api.states(serving_match[1]) if state["type"] == "FAILED"],
        )
        assert "no such file or folder" in failed_states[0]["message"]
        configure("in")
        wait_for(
            "the report of the failed run",
            lambda: re.search(rf"{RUN_DUE}failed after .*no such file or folder", log.read_text()),
        )

        # Start another rebuild while a run holds the lock; the run is suspended meanwhile.
        def suspend_writing_run() -> int | None:
            for number in scheduled_runs(home):
                os.kill(number, signal.SIGSTOP)
                if is_locked(workspace):
                    return number
                os.kill(number, signal.SIGCONT)
            return None

        run = wait_for("a run that writes", suspend_writing_run)
        words = ("rebuild", "--config", config, "--out", workspace)
        refused = benchloom(*words)
        assert refused.returncode == 2
        message = f"{workspace}: another run is writing here; wait for it or choose another"
        assert refused.stderr == f"benchloom rebuild: starting...\nbenchloom: {message}\n"
        # A run that is due meanwhile is skipped.
        wait_for(
            "a skipped run", lambda: "skipped, the previous run is still active" in log.read_text()
        )
        os.kill(run, signal.SIGCONT)
        wait_for("the first release", lambda: version() == "0.1.0")

        names = {state["name"] for state in api.states(serving_match[1])}
        assert names >= {"Failed", "Skipped"}
        wait_for(
            "a completed run", lambda: re.search(rf"{RUN_DUE}completed after", log.read_text())
        )
        for pattern in (
            f"{RUN_DUE}started",
            rf"{RUN_DUE}completed after [\d.]+ m?i?n? ?s?",
            "next run: ",
        ):
            assert re.search(pattern, log.read_text()), pattern
        check_release(workspace / "releases" / "0.1.0")
        api.close()

        # The schedule ends cleanly during a run and leaves no process or file behind.
        wait_for("a run under way", lambda: scheduled_runs(home))
        schedule.send_signal(signal.SIGTERM)
        assert schedule.wait(timeout=60) == 143
        ends = [line for line in log.read_text().splitlines() if "the same command" in line]
        assert ends == [log.read_text().splitlines()[-1]]
        assert ends[0].startswith("benchloom: terminated; run the same command again to continue; ")
    finally:
        schedule.kill()
        schedule.wait()
    wait_for("the end of all it started", lambda: not processes_of(home), 30)
    assert "Traceback" not in log.read_text()
    assert "RuntimeWarning" not in log.read_text()
    assert list(home.iterdir()) == []


@pytest.mark.long
@pytest.mark.prefect
def test_killed_schedule_leaves_no_server(tmp_path: Path) -> None:
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
        assert any(b"flows.engine.server.own" in words for words in processes_of(home).values())
    finally:
        schedule.kill()
        schedule.communicate(timeout=30)
    wait_for("the end of the server", lambda: not processes_of(home), 30)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", [], "no schedule: pass --cron"),
        ("", ["--cron", "often"], "schedule.cron: 'often'"),
        ("", ["--cron", "0 4 * * *", "--timezone", "Moon/Sea"], "schedule.timezone: 'Moon/Sea'"),
        ('[schedule]\ncron = "60 * * * *"\n', [], "schedule.cron: '60 * * * *'"),
        ("[schedule]\ncrom = 1\n", [], "[schedule] unknown key 'crom'; did you mean 'cron'?"),
    ],
)
def test_invalid_schedule_is_refused(
    tmp_path: Path, text: str, options: list[str], message: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.shortcut").touch()
    (tmp_path / "rebuild.toml").write_text(f'sources.shortcuts = ["in"]\n{text}')
    start_time = time.monotonic()
    done = benchloom("schedule", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.splitlines()[0] == "benchloom schedule: starting..."
    assert done.stderr.count("\n") == 2
    assert time.monotonic() - start_time < 60
