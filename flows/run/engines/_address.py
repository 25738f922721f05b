"""Check whether the address of a Dask scheduler is well formed, and whether its port is open."""

import re
import socket

CONNECTS_WITHIN = 10.0
"""Maximum seconds for connecting to a scheduler."""
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?[^\s/:]+:[0-9]{1,5}")


def is_address(text: str) -> bool:
    """Whether a text has the syntax of a scheduler address."""
    return _ADDRESS.fullmatch(text) is not None


def is_open(address: str) -> bool:
    """Whether the address accepts a connection, no matter which program listens there."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECTS_WITHIN).close()
    except (OSError, OverflowError):  # OverflowError for a port above 65,535
        return False
    return True


def no_scheduler_message(address: str) -> str:
    """Return the error message for an address at which no scheduler responds."""
    why = f"no scheduler responded within {CONNECTS_WITHIN:.0f} seconds"
    return f"engine.address: {address}: {why}; start a scheduler there, or see its log"
