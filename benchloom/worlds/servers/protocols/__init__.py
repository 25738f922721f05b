"""Protocols through which clients do tasks, one module each; all use the same `Attempts`.

A module defines `PROTOCOL`, which adds routes to a server; its name is a value of `world serve
--protocol`. The server and `Attempts` implement access, limits and idle times for all protocols.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.servers.protocols.base import TaskProtocol

__all__ = ["TASK_PROTOCOLS", "TaskProtocol"]

TASK_PROTOCOLS = Kind(
    "task protocol", __name__, TaskProtocol, attribute="PROTOCOL", dashed=True, beside=("base",)
)
