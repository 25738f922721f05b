"""Whatever fails in Prefect or its server, people read one line of ours."""

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
"""Less than the tables of Prefect take, and more than the command writes before it needs them."""


def rebuild(
    tmp_path: Path, *, most: int | None = None, database: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A rebuild of one file, with the settings of somebody's Prefect."""
    config = tmp_path / "rebuild.toml"
    config.write_text(f'[sources]\nshortcuts = ["{SHORTCUTS / "bread-timer.json"}"]\n')
    words = ["rebuild", "--config", str(config), "--out", str(tmp_path / "w")]
    if database is not None:
        variables[DATABASE_SETTING] = f"sqlite+aiosqlite:///{database}"
    return benchloom(*words, env=clean_environment(tmp_path / "home") | variables, most=most)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The line that says why, where nothing else does."""
    assert done.returncode == 2, done.stderr
    *before, last = done.stderr.splitlines()
    assert all(
        line.startswith(("benchloom rebuild: starting", "starting Prefect")) for line in before
    )
    return last


@pytest.mark.long
@pytest.mark.prefect
def test_nobody_answers_at_the_configured_address(tmp_path: Path) -> None:
    said = last_line(
        rebuild(tmp_path, PREFECT_API_URL="http://127.0.0.1:9/api", PREFECT_CLIENT_MAX_RETRIES="0")
    )
    assert said == (
        "benchloom: Prefect's server has ended (All connection attempts failed); "
        "run the same command again to continue"
    )


@pytest.mark.long
@pytest.mark.prefect
@pytest.mark.parametrize(
    ("file", "most", "why"),
    [("none/x.db", None, "unable to open database file"), ("x.db", MAX_BYTES, "(disk|full)")],
)
def test_a_configured_database_that_cannot_be_written(
    tmp_path: Path, file: str, most: int | None, why: str
) -> None:
    said = last_line(rebuild(tmp_path, most=most, database=tmp_path / file))
    assert said.startswith("benchloom: Prefect's server did not start (sqlalchemy.exc.")
    assert said.endswith("set PREFECT_API_URL to its address")
    assert any(word in said for word in why.strip("()").split("|"))


@pytest.mark.prefect
@pytest.mark.skipif(not SOAK, reason="Prefect waits a minute for the lock")
def test_a_configured_database_that_somebody_holds(tmp_path: Path) -> None:
    database_path = tmp_path / "x.db"
    with closing(sqlite3.connect(database_path, isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        said = last_line(rebuild(tmp_path, database=database_path))
    assert "database is locked" in said


@pytest.mark.parametrize(
    ("fault", "said", "told"),
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
def test_faults_of_prefect_are_one_line(fault: Exception, said: str, told: str) -> None:
    error = prefect_fault(fault, said)
    assert str(error).startswith(told)
    assert "\n" not in str(error)


def test_faults_of_others_stay_what_they_are() -> None:
    for fault in (ValueError("x"), OSError(28, "full"), KeyError("y")):
        assert prefect_fault(fault) is None


FAILS = """
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
def test_threads_and_callbacks_of_prefect_fail_in_silence(
    tmp_path: Path, variables: dict[str, str], counts: dict[str, int]
) -> None:
    home = clean_environment(tmp_path / "home")
    done = python("-c", FAILS, *counts, env=home | variables)
    for module, count in counts.items():
        assert done.stderr.count(f"ValueError: a fault of {module}") == count
    if not variables:
        assert done.stderr.count("Traceback") == sum(counts.values())
