"""Run a server until it is interrupted, by default on loopback and without logs."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from benchloom.core.errors import RunError
from benchloom.core.structs import settle_structs
from benchloom.worlds.servers.access import LOOPBACK
from benchloom.worlds.servers.quiet import quiet

MAX_BODY = 4 * 1024 * 1024
"""The maximum size of a request, or of a WebSocket message, in bytes."""


def serve_at(
    port: int,
    application: Callable[[Callable[[], None]], Any],
    ready: Callable[[int], None],
    *,
    host: str = LOOPBACK,
) -> None:
    """Build an application and serve it until it is interrupted; port 0 selects a free port.

    `application` is a function that builds the application. Its argument is a callback, which the
    application must call once clients can connect. The callback passes the port to `ready`.

    Raises:
        RunError: the port is in use or cannot be opened, or the address is not of this machine.
    """
    settle_structs()
    with _bound(host, port) as bound, quiet():
        config = uvicorn.Config(
            application(lambda: ready(bound.getsockname()[1])),
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
            ws_max_size=MAX_BODY,
            # A busy model may not answer pings, so only idle clients are disconnected.
            ws_ping_interval=None,
        )
        with suppress(KeyboardInterrupt):  # the usual end of a server
            uvicorn.Server(config).run(sockets=[bound])


def _fault(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "is already in use"
    return f"cannot be opened ({error.strerror})"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise RunError(
            f"{host} is not an IP address of this machine; pass one of its IP addresses to --host"
        ) from error
    # With an explicit protocol, asyncio sends small responses without delay.
    listener = socket.socket(family, kind, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        at = "" if host == LOOPBACK else f" at {host}"
        raise RunError(
            f"port {port}{at} {_fault(error)}; choose another, or --port 0 for any free port"
        ) from error
    return listener
