"""Worlds: typed tools over state that every call changes in the same way on every machine.

A world is a pure function of its start and the calls: its clock stands still, ids follow from
content, and nothing is drawn or fetched.
"""

from benchloom.worlds.refusals import RefusedError
from benchloom.worlds.session import Effect, Outcome, Session
from benchloom.worlds.state import State
from benchloom.worlds.tool import Tool, tool
from benchloom.worlds.world import World

__all__ = ["Effect", "Outcome", "RefusedError", "Session", "State", "Tool", "World", "tool"]
