"""Prefect's own server for one run on one machine, gone when the run is gone.

Without a configured server Prefect starts one on loopback. It ends with an orderly run, but would
outlive a killed one; a small watcher, which sees the end of a pipe when this process dies for
whatever reason, ends it then.
"""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from flows.prefect_settings import apply

_MARK = "BENCHLOOM_RUN"
# When the pipe ends, ends the servers that inherited the run's mark; asking is not enough for one
# that has only just started.
_WATCHER = """
import os, pathlib, signal, sys, time
mark = sys.argv[1].encode()
def servers():
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            ours = mark in (entry / "environ").read_bytes().split(bytes(1))
            found = ours and b"prefect.server" in (entry / "cmdline").read_bytes()
            if found and int(entry.name) != os.getpid():
                yield int(entry.name)
        except OSError:
            continue
sys.stdin.buffer.read()
for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
    for server in servers():
        os.kill(server, number)
    time.sleep(2)
"""


@contextmanager
def local_server() -> Iterator[None]:
    """Have a Prefect server for the block: the configured one, else one of our own."""
    apply()
    from prefect.server.api.server import SubprocessASGIServer
    from prefect.settings import get_current_settings

    if get_current_settings().api.url:
        yield
        return
    mark = f"{os.getpid()}-{uuid.uuid4().hex}"
    os.environ[_MARK] = mark
    _watchers.append(
        subprocess.Popen(  # noqa: S603  this interpreter, a text of our own
            [sys.executable, "-c", _WATCHER, f"{_MARK}={mark}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    )
    # Prefect stops the server at the end of the process, after the last events are recorded.
    SubprocessASGIServer().start()
    yield


_watchers: list["subprocess.Popen[bytes]"] = []
"""Their pipes close when this process ends, and not before."""
