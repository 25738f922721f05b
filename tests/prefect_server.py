"""A Prefect server for tests, on loopback with a home of its own, and what its API tells."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment(home: Path) -> dict[str, str]:
    """An empty home, so that no setting of the person who tests has a say."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PREFECT_")}
    return kept | {"HOME": str(home), "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}


@contextmanager
def prefect_server(home: Path) -> Iterator[str]:
    """The address of the API of a server that lives as long as the block."""
    home.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    address = f"http://127.0.0.1:{port}/api"
    command = [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command, env=environment(home), stdout=log, stderr=log, start_new_session=True
        )
    try:
        deadline = time.monotonic() + 120
        while not _answers(address):
            assert server.poll() is None, (home / "server.log").read_text()
            assert time.monotonic() < deadline, (home / "server.log").read_text()
            time.sleep(0.2)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(timeout=30)


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def everything(address: str, kind: str, sort: str | None = None) -> list[dict[str, Any]]:
    """All artifacts, flow_runs, task_runs, flows or logs the server knows."""
    found: list[dict[str, Any]] = []
    while True:
        body: dict[str, Any] = {"limit": 200, "offset": len(found)}
        if sort is not None:
            body["sort"] = sort
        page = httpx.post(f"{address}/{kind}/filter", json=body, trust_env=False)
        page.raise_for_status()
        found += page.json()
        if len(page.json()) < 200:
            return found
