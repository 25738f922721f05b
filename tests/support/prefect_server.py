"""Prefect servers on loopback: the server that a test process shares, and a client of its API."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows.engine.server import local as local_server
from tests.support.commands import call_in_process
from tests.support.session_paths import shared_path

DATABASE = "prefect.db"
"""Name of the database file of a configured server."""
DATABASE_SETTING = "PREFECT_API_DATABASE_CONNECTION_URL"


def clean_environment(home: Path, server: str | None = None) -> dict[str, str]:
    """Return an environment with this home and server, without the user's settings or secrets."""
    home.mkdir(parents=True, exist_ok=True)
    foreign = ("PREFECT_", "BENCHLOOM_", "OPENAI_", "REDDIT_", "AWS_", "HF_")
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(foreign) and "proxy" not in name.lower()
    }
    settings = {
        "HOME": str(home),
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    }
    return variables | settings | ({"PREFECT_API_URL": server} if server else {})


def wait_for(what: str, look: Callable[[], Any], seconds: float = 180.0) -> Any:
    """Call `look` until it returns a true value, and return this value.

    Raises:
        TimeoutError: `look` returned no true value within `seconds`.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := look():
            return value
        time.sleep(0.1)
    raise TimeoutError(what)


def end_process(process: "subprocess.Popen[bytes]", seconds: float = 30.0) -> None:
    """Terminate a process, and kill it if it does not end in time."""
    process.terminate()
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def server_ids(home: Path) -> list[int]:
    """Return the process ids of the running Prefect servers with this home."""
    pids: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
            variables = (entry / "environ").read_bytes()
        except OSError:
            continue
        if b"flows.engine.server.own" in words and f"HOME={home}".encode() in variables.split(
            b"\0"
        ):
            pids.append(int(entry.name))
    return pids


class Api:
    """A client of the REST API of a server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._http = httpx.Client(base_url=address, trust_env=False, timeout=120)

    def healthy(self) -> bool:
        try:
            return self._http.get("/health").is_success
        except httpx.TransportError:
            return False

    def post(self, path: str, **fields: object) -> Any:
        answer = self._http.post(path, json=fields)
        answer.raise_for_status()
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self._http.get(path)
        answer.raise_for_status()
        return answer.json()

    def states(self, deployment: str) -> list[Mapping[str, Any]]:
        """Return the newest state of every run of a deployment that has at least started."""
        runs = self.post("/flow_runs/filter", deployments={"name": {"any_": [deployment]}})
        return [run["state"] for run in runs if run["state"]["type"] != "SCHEDULED"]

    def ended(self, run: str) -> Mapping[str, Any] | None:
        """Return the last state of a run, or None if the run has not ended."""
        state: Mapping[str, Any] = self.get(f"/flow_runs/{run}")["state"]
        return state if state["type"] in {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"} else None

    def read_rows(self, kind: str, **fields: object) -> list[dict[str, Any]]:
        """Return all rows of a kind: artifacts, flow_runs, task_runs, flows or logs."""
        rows: list[dict[str, Any]] = []
        while True:
            page = self.post(f"/{kind}/filter", limit=200, offset=len(rows), **fields)
            rows += page
            if len(page) < 200:
                return rows

    def close(self) -> None:
        self._http.close()


@contextmanager
def running_server(environment: Mapping[str, str], log: Path) -> Iterator[Api]:
    """Run a server with its services until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-P", "-m", "flows.engine.server.own", str(port)],
            env=environment,
            stdout=out,
            stderr=out,
        )
    api = Api(f"http://127.0.0.1:{port}/api")
    try:
        wait_for("the server", api.healthy)
        yield api
    finally:
        api.close()
        end_process(server)


@pytest.fixture(scope="session")
def prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home folder of the shared server."""
    return tmp_path_factory.mktemp("prefect") / "home"


def migrate() -> None:
    """Create an empty database with Prefect's migrations."""
    from prefect.server.database.dependencies import provide_database_interface

    asyncio.run(provide_database_interface().create_db())


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty database for servers to copy, because migrations take seconds."""

    def make(folder: Path) -> Path:
        path = folder / DATABASE
        settings = {DATABASE_SETTING: f"sqlite+aiosqlite:///{path}"}
        assert call_in_process(migrate, clean_environment(folder / "home") | settings) == 0
        return path

    return shared_path(tmp_path_factory, "migrated", make)


@pytest.fixture(scope="session")
def prefect_url(prefect_home: Path, migrated_database: Path) -> Iterator[str]:
    """Return the address of the server that all commands of a test process share.

    Starting a server takes longer than a small rebuild. The tests of `schedule`, of killed rebuilds
    and of dying servers start servers for single runs.
    """
    # Like the server of a single run it has no schedule services, which poll all the time.
    environment = clean_environment(prefect_home)
    shutil.copy(migrated_database, prefect_home / DATABASE)
    environment |= {
        DATABASE_SETTING: f"sqlite+aiosqlite:///{prefect_home / DATABASE}",
        **local_server._SERVER_SETTINGS,
    }
    with running_server(environment, prefect_home.parent / "server.log") as api:
        yield api.address
