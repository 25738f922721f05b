"""Worlds: typed tools that read and change a state, with the same results on every machine.

The state of a world depends only on its start and the calls: its clock does not advance, ids
are derived from content, and there is no randomness and no network.
"""

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.session import Effect, Outcome, Session
from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool, tool
from benchloom.worlds.world import World

__all__ = ["Effect", "Outcome", "RefusedError", "Session", "State", "Tool", "World", "tool"]
