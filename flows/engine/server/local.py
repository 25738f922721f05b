"""This module starts a Prefect server on loopback for a run or schedule, if none is configured.

The process of the run ends the server when it exits in order. If the process is killed, a small
watcher process ends the server and the runs that a schedule has started. The watcher notices the
death because a pipe from the process closes.
"""

import atexit
import os
import re
import socket
import ssl
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType
from typing import IO
from urllib.parse import urlsplit

import flows
from benchloom.core.errors import RunError
from benchloom.core.progress import under_way
from benchloom.storage.workspace import RUN
from flows.configuration.secrets import BLOCKS
from flows.engine.prefect_settings import apply


def share_contexts(address: str) -> None:
    """Make all Prefect clients share one TLS context, if the server's address uses no TLS.

    This saves time, because a client loads all certificates even if it needs none.
    """
    if not address.startswith("http://"):
        return
    from prefect.client import orchestration

    shared = ModuleType("ssl")
    shared.__dict__.update(vars(ssl))
    shared.__dict__["create_default_context"] = _context
    vars(orchestration)["ssl"] = shared  # only this module of Prefect sees the replacement


@cache
def _context(cafile: str | None = None) -> ssl.SSLContext:
    """Return a TLS context as `ssl.create_default_context` does, cached per certificate file."""
    return ssl.create_default_context(cafile=cafile)


# When the pipe closes, the watcher ends the servers and scheduled runs that inherited the mark. It
# signals repeatedly, because a server that has only just started ignores the first signal.
_WATCHER = """
import os, pathlib, signal, sys, time
mark = sys.argv[1].encode()
def ours():
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            marked = mark in (entry / "environ").read_bytes().split(bytes(1))
            words = (entry / "cmdline").read_bytes()
            found = marked and (b"flows.engine.server.own" in words or b"prefect.engine" in words)
            if found and int(entry.name) != os.getpid():
                yield int(entry.name)
        except OSError:
            continue
sys.stdin.buffer.read()
for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
    for server in ours():
        os.kill(server, number)
    time.sleep(2)
"""
LOG_FILE = ".prefect.log"
_API_URL = "PREFECT_API_URL"
_PYTHON_PATH = "PYTHONPATH"
_SERVER_SETTINGS = {
    "PREFECT_UI_ENABLED": "0",
    "PREFECT__SERVER_EPHEMERAL": "1",
    # Saves a second. Our flows use no blocks of this server, and a server that people start
    # on the same state registers them itself.
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    # No automation waits for a run, and no row is old enough to be removed.
    "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "orphans",
}
_NO_FILES = {"PREFECT_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false"}
"""The setting with which Prefect does not cache its block types in a file in the user's home."""
_FAULT = re.compile(r"[\w.]*(Error|Exception|Exit)\b.*")
"""Matches the beginning of the last line of a traceback."""
_OUTPUT_BYTES = 65_536
"""Maximum number of bytes at the end of a server's output that are searched for an error."""
_STARTS_WITHIN = 300.0
_ANSWERS_WITHIN = 5.0
_ENDS_WITHIN = 10.0


class Server:
    """The Prefect server of a run: one that the user has configured, or a local process."""

    def __init__(
        self,
        address: str,
        process: "subprocess.Popen[bytes] | None" = None,
        output: IO[bytes] | None = None,
    ) -> None:
        self.address = address
        self._process = process
        self._output = output
        if process is not None:
            # The server is stopped last, after the last events are recorded.
            atexit.register(self.end)

    def ready(self) -> None:
        """Wait until a local server answers, and make this process use the server.

        Raises:
            RunError: the local server does not start.
        """
        if self._process is not None:
            if not _is_healthy(self._process, self.address):
                why = f" ({error})" if (error := self.last_error()) else ""
                raise RunError(
                    f"Prefect's server did not start{why}; to use a server that is already "
                    "running, set PREFECT_API_URL to its address"
                )
            from prefect.context import refresh_global_settings_context

            # Set in the environment, because Prefect's own threads read their settings from there.
            os.environ[_API_URL] = self.address
            refresh_global_settings_context()
        share_contexts(self.address)

    def last_error(self) -> str:
        """Return the last output line in which a local server reports an error, or ""."""
        if self._output is None:
            return ""
        # Read without seeking: the server writes at the same file position.
        size = os.fstat(self._output.fileno()).st_size
        output = os.pread(self._output.fileno(), _OUTPUT_BYTES, max(0, size - _OUTPUT_BYTES))
        lines = [line.strip() for line in output.decode(errors="replace").splitlines()]
        return next((line for line in reversed(lines) if _FAULT.match(line)), "")

    def end(self) -> None:
        """Stop a local server now; otherwise it stops when this process ends."""
        if self._process is not None:
            atexit.unregister(self.end)
            _end(self._process)


@contextmanager
def local_server() -> Iterator[Server]:
    """Yield the configured Prefect server, or a local server that ends with this process.

    The caller must call `ready` before it uses the server. A local server takes seconds to start,
    and meanwhile the caller can import the flow that it will run.
    """
    apply()
    # Only Prefect knows whether a server is configured, and its import takes a second. If the
    # environment configures no server, ours is started during this import.
    begun = None if os.environ.get(_API_URL) else _begin()
    from prefect.settings import get_current_settings

    if configured := get_current_settings().api.url:
        if begun is not None:
            begun.end()
        yield Server(configured)
        return
    yield begun or _begin()


def _begin() -> Server:
    """Start a local server for a single run; its output goes to a temporary file."""
    return _start(_SERVER_SETTINGS, TemporaryFile())


def _start(variables: Mapping[str, str], output: IO[bytes]) -> Server:
    """Start a server that ends with this process, with added environment variables.

    Prefect's own function would import the whole server into this process, which takes seconds.
    """
    _watch()
    port = _free_port()
    server = subprocess.Popen(  # noqa: S603  this interpreter and Prefect's own server
        _command(port),
        env=os.environ | variables | _NO_FILES | _finding_ours(),
        stdout=output,
        stderr=output,
        # A separate group, so that an interrupt from the keyboard does not end the server first.
        start_new_session=True,
    )
    return Server(f"http://127.0.0.1:{port}/api", server, output)


@contextmanager
def scheduling_server(folder: Path) -> Iterator[str]:
    """Yield the address of a Prefect server that can run schedules until the block ends.

    Without a configured server, a local server is started, because the server that Prefect itself
    would start has no scheduler. The local server keeps its state in memory, unless a database is
    configured, and writes its log to `folder`.

    Raises:
        RunError: the local server does not start.
    """
    apply()
    from prefect.settings import get_current_settings

    if configured := get_current_settings().api.url:
        yield configured
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG_FILE).open("w+b") as output:
        server = _start({}, output)
        try:
            with under_way("starting Prefect"):
                server.ready()
            yield server.address
        finally:
            server.end()


def has_configured_server() -> bool:
    """Whether the user has configured a Prefect server, which may store secrets.

    A local server that this run or its schedule has started does not count.
    """
    from prefect.settings import get_current_settings

    return bool(get_current_settings().api.url) and RUN not in os.environ


def _watch() -> None:
    """Start a watcher process, which ends local servers and scheduled runs if this process dies."""
    mark = f"{os.getpid()}-{uuid.uuid4().hex}"
    os.environ[RUN] = mark
    _watchers.append(
        subprocess.Popen(  # noqa: S603  this interpreter with our own program
            [sys.executable, "-c", _WATCHER, f"{RUN}={mark}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    )


_watchers: list["subprocess.Popen[bytes]"] = []
"""The watcher processes; this list keeps their pipes open until this process ends."""


def _command(port: int) -> list[str]:
    # -P: do not import a folder `flows` that happens to be in the working directory.
    return [sys.executable, "-P", "-m", "flows.engine.server.own", str(port)]


def _finding_ours() -> dict[str, str]:
    """Return the variable PYTHONPATH with which a child process finds the package `flows`."""
    paths = [str(Path(flows.__path__[0]).parent), os.environ.get(_PYTHON_PATH, "")]
    return {_PYTHON_PATH: os.pathsep.join(folder for folder in paths if folder)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_healthy(server: "subprocess.Popen[bytes]", address: str) -> bool:
    """Wait for a server that is starting; return whether it answers in time."""
    url = urlsplit(address)
    deadline = time.monotonic() + _STARTS_WITHIN
    while server.poll() is None and time.monotonic() < deadline:
        # With the standard library: httpx reads certificates before it sends the first request.
        connection = HTTPConnection(url.netloc, timeout=_ANSWERS_WITHIN)
        try:
            connection.request("GET", f"{url.path}/health")
            if connection.getresponse().status == HTTPStatus.OK:
                return True
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    return False


def _end(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(_ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


async def load_secrets() -> tuple[str, ...]:
    """Load secrets that the environment lacks from Prefect Secret blocks; return their names.

    The secrets are stored in the environment of this process. Only a configured server is asked,
    because a server that a run starts has no Secret blocks.
    """
    if not has_configured_server():
        return ()
    from prefect.blocks.system import Secret

    loaded: list[str] = []
    for name, block in BLOCKS.items():
        if os.environ.get(name):
            continue
        try:
            secret: Secret[str] = await Secret.aload(block)
        except ValueError:  # no such block
            continue
        os.environ[name] = secret.get()
        loaded.append(name)
    return tuple(loaded)
