"""Worlds: typed tools that read and change a state, with the same results on every machine.

The initial state and the calls determine the state of a world: its clock does not advance, ids are
derived from content, and there is no randomness and no network.
"""

from benchloom.worlds.session import Session
from benchloom.worlds.state import State
from benchloom.worlds.tool import tool
from benchloom.worlds.world import World

__all__ = ["Session", "State", "World", "tool"]
