"""Protocols in which clients play tasks: a module per protocol, over the same attempts.

A module defines `PROTOCOL`. A `ServedProtocol` adds routes to a server, and its name is a value of
`world serve --protocol`; a `LibraryProtocol` creates objects for a client in the same process. The
server and `Attempts` implement access, limits and idle times for all protocols.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.serving.protocols.base import (
    LibraryProtocol,
    ServedProtocol,
    TaskProtocol,
)

__all__ = ["TASK_PROTOCOLS", "LibraryProtocol", "ServedProtocol", "TaskProtocol"]

TASK_PROTOCOLS = Kind(
    "task protocol", __name__, TaskProtocol, attribute="PROTOCOL", dashed=True, beside=("base",)
)
