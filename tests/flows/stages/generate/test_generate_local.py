"""Check generation with a real small model on this machine, without a key."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest

from flows.stages.generate.model import run_model
from flows.stages.generate.plan import Endpoint, GeneratePlan
from prompts.endpoint.limits import Limits
from prompts.endpoint.local import find_weights, local_server
from prompts.errors import EndpointError
from prompts.ledger.log import verify_log
from tests.support.commands import benchloom as forked
from tests.support.demo_world import SHORTCUTS
from tests.support.llm.command import benchloom
from tests.support.llm.world import rows_of, shortcuts_folder, table_bytes, wait_until

pytestmark = pytest.mark.slow
State = Literal["asked", "answered"]


def start_command(*arguments: object) -> "subprocess.Popen[str]":
    """Start a command in a new process, without settings of this machine."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": "", "HOME": ""},
    )


def server_ids_of(parent: int) -> list[int]:
    """Return the process ids of local model servers that a process has started."""
    pids = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (entry / "cmdline").read_bytes()
            status = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if b"prompts.endpoint.local_server" in arguments and int(status[1]) == parent:
            pids.append(int(entry.name))
    return pids


@pytest.mark.long
def test_stopped_runs_leave_no_server_and_lose_no_reply(tmp_path: Path) -> None:
    """Rows, verdicts and ledger are right and no request is repeated, whatever the model writes."""
    names = ("glass-of-water.plist", "share-the-clipboard.shortcut")
    benchloom("parse", "shortcuts", *(SHORTCUTS / name for name in names), "--out", tmp_path / "in")
    log = tmp_path / "w" / "completions.sqlite"
    command = ["generate", "query", "--in", tmp_path / "in", "--workspace", tmp_path / "w"]
    command += ["--model", "local", "--json", "--max-usd", "0"]
    stops: list[tuple[State, signal.Signals, int]] = [
        ("answered", signal.SIGKILL, -9),  # while the second request is in flight
        ("asked", signal.SIGINT, 130),  # again while a request is in flight
    ]
    for state, signal_number, code in stops:
        run = start_command(*command, "--out", tmp_path / "out")
        wait_until(lambda: bool(server_ids_of(run.pid)), 120)  # noqa: B023  # called at once
        (server,) = server_ids_of(run.pid)
        wait_until(lambda: bool(request_digests(log, state)), 300, 0.05)  # noqa: B023  # called at once
        # A terminal signals all foreground processes; the model server is not one of them.
        err = stop_run(run, signal_number)
        assert run.returncode == code, err
        assert "Traceback" not in err
        wait_until(lambda: not Path(f"/proc/{server}/cmdline").exists(), 60)  # noqa: B023  called within the loop
    before = request_digests(log, "answered")
    assert len(before) in {1, 2}

    done = forked(*command, "--out", tmp_path / "out", env={"PATH": "", "HOME": ""})
    summary = json.loads(done.stdout)
    outcome = summary["outcome"]
    # The model is so small that the checks may drop every text.
    assert done.returncode == (0 if outcome["kept"] else 1), done.stderr
    assert summary["writer"] == "local"
    assert outcome["objects"] == 2
    texts, verdicts, rejected = rows_of(tmp_path / "out")
    assert len(texts) + len(rejected) == 2
    assert texts, "neither reply was readable"
    model = find_weights().model
    for row in texts:
        assert row.text.strip()
        assert (row.model, row.generator, row.usd) == (model, "llm", 0.0)
        assert row.tokens_in > 100
        assert row.tokens_out > 5
    assert {verdict.target_id for verdict in verdicts} == {row.query_id for row in texts}
    spending = outcome["spending"]
    open_requests = request_digests(log, "asked")
    assert len(open_requests) <= 1, "only the killed request may stay open"
    assert (spending["settled_usd"], spending["open_attempts"]) == (0.0, len(open_requests))
    assert verify_log(log) == []
    answered = request_digests(log, "answered")
    assert answered[: len(before)] == before
    assert len(answered) == len(set(answered)) >= 2, "a request was answered twice"

    again = forked(*command, "--out", tmp_path / "again", env={"PATH": "", "HOME": ""})
    spent = json.loads(again.stdout)["outcome"]["spending"]
    assert spent["attempts"] == spending["attempts"], "a request was sent again"
    assert table_bytes(tmp_path / "again") == table_bytes(tmp_path / "out")


def stop_run(run: "subprocess.Popen[str]", signal_number: signal.Signals) -> str:
    """Send a signal to a run up to three times, as people do, and return its stderr."""
    for _ in range(3):
        os.kill(run.pid, signal_number)
        with suppress(subprocess.TimeoutExpired):
            return run.communicate(timeout=60)[1]
    run.kill()
    return run.communicate()[1]


def request_digests(log: Path, state: State) -> list[str]:
    """Return the digests of requests in a log that are unanswered, or that were answered."""
    if not log.is_file():
        return []
    connection = sqlite3.connect(f"{log.resolve().as_uri()}?mode=ro", uri=True)
    conditions = {"asked": "outcome IS NULL", "answered": "outcome IN ('answered', 'truncated')"}
    query = f"SELECT request_digest FROM attempts WHERE {conditions[state]} ORDER BY id"  # noqa: S608  the text is a constant of this module
    try:
        return [digest for (digest,) in connection.execute(query)]
    except sqlite3.OperationalError:  # no tables yet
        return []
    finally:
        connection.close()


def test_killed_server_ends_the_run(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 40)
    weights = find_weights()
    limits = Limits(tries=1, backoff=0.0)
    endpoint = Endpoint(log=tmp_path / "log.sqlite", weights=weights, limits=limits)
    plan = GeneratePlan(step="query", source=source, model=weights.model)
    serving = local_server(weights)
    with serving as url:
        assert url.startswith("http://127.0.0.1:")
        (server,) = server_ids_of(os.getpid())
        os.kill(server, signal.SIGKILL)
        time.sleep(0.2)
        # The server no longer answers, and no process listens at its port.
        dead_endpoint = Endpoint(log=endpoint.log, base_url=url, limits=limits)
        with pytest.raises(EndpointError, match="rows in a row failed"):
            run_model(plan, tmp_path / "out", dead_endpoint)
    with pytest.raises(EndpointError, match="the local model ended"), local_server(weights):
        (server,) = server_ids_of(os.getpid())
        os.kill(server, signal.SIGKILL)
        time.sleep(0.2)
        run_model(plan, tmp_path / "out", dead_endpoint)
    assert server_ids_of(os.getpid()) == []
