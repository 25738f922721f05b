"""The protocols through which clients attempt tasks, with one module for each protocol.

Each module defines `PROTOCOL`, which adds routes to a server. The option `world serve --protocol`
selects a protocol by the name of its module. The server and `Attempts` implement access, limits and
idle times for all protocols.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.servers.protocols.base import TaskProtocol

__all__ = ["TASK_PROTOCOLS", "TaskProtocol"]

TASK_PROTOCOLS = Kind(
    "task protocol", __name__, TaskProtocol, attribute="PROTOCOL", dashed=True, beside=("base",)
)
