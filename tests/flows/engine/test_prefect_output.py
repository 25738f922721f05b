"""Check that a fault of Prefect or its server is a single line of ours."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from prefect.exceptions import CrashedRun

from flows.engine.prefect_output import prefect_fault
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.prefect_server import DATABASE_SETTING, clean_environment
from tests.support.python import python
from tests.support.soak import SOAK

MAX_BYTES = 300_000
"""Too few bytes for the tables of Prefect, but enough for all that is written before them."""


def run_rebuild(
    tmp_path: Path, *, most: int | None = None, database: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Rebuild a single file with the given Prefect settings."""
    config = tmp_path / "rebuild.toml"
    config.write_text(f'[sources]\nshortcuts = ["{SHORTCUTS / "bread-timer.json"}"]\n')
    words = ["rebuild", "--config", str(config), "--out", str(tmp_path / "w")]
    if database is not None:
        variables[DATABASE_SETTING] = f"sqlite+aiosqlite:///{database}"
    return benchloom(*words, env=clean_environment(tmp_path / "home") | variables, most=most)


def read_fault_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the only stderr line besides the starting lines."""
    assert done.returncode == 2, done.stderr
    *starting_lines, fault_line = done.stderr.splitlines()
    assert all(
        line.startswith(("benchloom rebuild: starting", "starting Prefect"))
        for line in starting_lines
    )
    return fault_line


@pytest.mark.long
@pytest.mark.prefect
def test_unreachable_server_is_a_one_line_error(tmp_path: Path) -> None:
    fault_line = read_fault_line(
        run_rebuild(
            tmp_path, PREFECT_API_URL="http://127.0.0.1:9/api", PREFECT_CLIENT_MAX_RETRIES="0"
        )
    )
    assert fault_line == (
        "benchloom: Prefect's server has ended (All connection attempts failed); "
        "run the same command again to continue"
    )


@pytest.mark.long
@pytest.mark.prefect
@pytest.mark.parametrize(
    ("file", "most", "pattern"),
    [("none/x.db", None, "unable to open database file"), ("x.db", MAX_BYTES, "(disk|full)")],
)
def test_unwritable_database_is_a_one_line_error(
    tmp_path: Path, file: str, most: int | None, pattern: str
) -> None:
    fault_line = read_fault_line(run_rebuild(tmp_path, most=most, database=tmp_path / file))
    assert fault_line.startswith("benchloom: Prefect's server did not start (sqlalchemy.exc.")
    assert fault_line.endswith("set PREFECT_API_URL to its address")
    assert any(word in fault_line for word in pattern.strip("()").split("|"))


@pytest.mark.prefect
@pytest.mark.skipif(not SOAK, reason="Prefect waits a minute for the lock")
def test_locked_database_is_a_one_line_error(tmp_path: Path) -> None:
    database_path = tmp_path / "x.db"
    with closing(sqlite3.connect(database_path, isolation_level=None)) as locked_database:
        locked_database.execute("BEGIN EXCLUSIVE")
        fault_line = read_fault_line(run_rebuild(tmp_path, database=database_path))
    assert "database is locked" in fault_line


@pytest.mark.parametrize(
    ("fault", "server_output", "expected_message"),
    [
        (httpx.ConnectError("refused"), "", "Prefect's server has ended (refused); run the same"),
        (CrashedRun("a\nb"), "", "Prefect's server failed (a); run the same"),
        (
            httpx.HTTPStatusError(
                "500", request=httpx.Request("GET", "http://x"), response=httpx.Response(500)
            ),
            "sqlite3.OperationalError: database is locked",
            "Prefect's server failed (sqlite3.OperationalError: database is locked); end the",
        ),
    ],
)
def test_prefect_faults_become_one_line(
    fault: Exception, server_output: str, expected_message: str
) -> None:
    error = prefect_fault(fault, server_output)
    assert str(error).startswith(expected_message)
    assert "\n" not in str(error)


def test_other_faults_are_not_prefect_faults() -> None:
    for fault in (ValueError("x"), OSError(28, "full"), KeyError("y")):
        assert prefect_fault(fault) is None


FAILING_THREADS = """
import asyncio, logging, sys, threading
from flows.engine import command_runs, prefect_output
import prefect
prefect_output.silence_prefect()
for module in sys.argv[1:]:
    names = {"__name__": module}
    exec("def fail(*_): raise ValueError('a fault of ' + __name__)", names)
    thread = threading.Thread(target=names["fail"])
    thread.start()
    thread.join()
    class Fails:
        __del__ = names["fail"]
    Fails()
logging.getLogger("prefect.events").exception("lost", exc_info=ValueError("a fault"))
logging.getLogger("asyncio").error("Task exception was never retrieved", exc_info=ValueError("it"))
class Handler(logging.Handler):
    def emit(self, record):
        try:
            raise OSError("nobody answers")
        except OSError:
            self.handleError(record)
logging.getLogger("prefect.flow_runs").addHandler(Handler())
logging.getLogger("prefect.flow_runs").warning("x")
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("variables", "counts"),
    [
        ({}, {"prefect.events.worker": 0, "flows.console.output": 2}),
        ({"PREFECT_LOGGING_LEVEL": "DEBUG"}, {"prefect.events.worker": 2}),
    ],
)
def test_prefect_threads_and_callbacks_fail_silently(
    tmp_path: Path, variables: dict[str, str], counts: dict[str, int]
) -> None:
    home = clean_environment(tmp_path / "home")
    done = python("-c", FAILING_THREADS, *counts, env=home | variables)
    for module, count in counts.items():
        assert done.stderr.count(f"ValueError: a fault of {module}") == count
    if not variables:
        assert done.stderr.count("Traceback") == sum(counts.values())
