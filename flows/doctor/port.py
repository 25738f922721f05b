"""A port on loopback: Prefect's own server, pages and worlds listen there."""

import socket
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs

_LOOPBACK = "127.0.0.1"


def look(needs: Needs) -> Iterator[Finding]:
    """Whether one can be had, and reached."""
    fault = _fault()
    yield Finding(
        name="loopback",
        state="fault" if fault else "ok",
        told=fault or f"{_LOOPBACK} has a free port and can be reached",
        serves="rebuild, schedule, explore, review, world serve",
        mend="ip link set lo up" if fault else None,
        needed=needs.configured,
    )


def _fault() -> str | None:
    try:
        with socket.create_server((_LOOPBACK, 0)) as server:
            address = server.getsockname()[:2]
            with socket.create_connection(address, timeout=10):
                return None
    except OSError as error:
        return f"{_LOOPBACK}: {error.strerror or error}"
