"""Protocols in which clients play tasks: one module per protocol, over the same attempts.

A module offers `PROTOCOL`. A `ServedProtocol` adds routes to a server, and its name is a value of
`world serve --protocol`; a `LibraryProtocol` makes objects for a client in the same process.
Access, limits and idle times belong to the server and to `Attempts`, not to a protocol.
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
