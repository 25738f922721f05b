"""A server on loopback until it is interrupted; it writes nothing down."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from benchloom.errors import RunError
from benchloom.structs import settle_structs
from benchloom.worlds.serving.quiet import quiet

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
"""The names by which this machine calls itself."""


def serve_at(
    port: int, application: Callable[[Callable[[], None]], Any], ready: Callable[[int], None]
) -> None:
    """Serve an application, which is made with what it calls once clients may come.

    Raises:
        RunError: the port is taken, or not for everybody.
    """
    settle_structs()
    with _bound(port) as bound, quiet():
        config = uvicorn.Config(
            application(lambda: ready(bound.getsockname()[1])),
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        with suppress(KeyboardInterrupt):  # how a server ends
            uvicorn.Server(config).run(sockets=[bound])


def _fault(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "is already in use"
    return f"cannot be opened ({error.strerror})"


def _bound(port: int) -> socket.socket:
    # With the protocol named asyncio sends small answers at once.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen(1024)
    except OSError as error:
        found.close()
        raise RunError(
            f"port {port} {_fault(error)}; choose another, or --port 0 for any free port"
        ) from error
    return found
