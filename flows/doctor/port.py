"""A check that a loopback port is available for Prefect, pages and worlds."""

import socket
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs, finding

_LOOPBACK = "127.0.0.1"


def look(needs: Needs) -> Iterator[Finding]:
    """Check that a loopback port can be opened and reached."""
    yield finding(
        "loopback",
        "rebuild, schedule, explore, review, world serve",
        ok=f"{_LOOPBACK} has a free port and can be reached",
        fault=_fault(),
        mend="ip link set lo up",
        needed=needs.file is not None,
    )


def _fault() -> str | None:
    try:
        with socket.create_server((_LOOPBACK, 0)) as server:
            address = server.getsockname()[:2]
            with socket.create_connection(address, timeout=10):
                return None
    except OSError as error:
        return f"{_LOOPBACK}: {error.strerror or error}"
