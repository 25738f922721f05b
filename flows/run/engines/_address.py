"""Addresses of Dask's schedulers: how they are written, and whether anybody listens there."""

import re
import socket

CONNECTS_WITHIN = 10.0
"""Seconds."""
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?[^\s/:]+:[0-9]{1,5}")


def is_address(text: str) -> bool:
    """Whether a text is written like one."""
    return _ADDRESS.fullmatch(text) is not None


def is_open(address: str) -> bool:
    """Whether a connection is taken there; who takes it is not asked."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=CONNECTS_WITHIN).close()
    except (OSError, OverflowError):  # the second for a port above 65,535
        return False
    return True


def nobody_answers(address: str) -> str:
    """What is said where no scheduler is found."""
    why = f"no scheduler answers in {CONNECTS_WITHIN:.0f} seconds"
    return f"engine.address: {address}: {why}; start one, or see its log"
