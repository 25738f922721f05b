"""A world is a simulated environment whose typed tools read and change a small database.

Only the initial state and the calls determine the state of a world. Its clock does not advance, ids
are derived from content, and there is no randomness and no network. Therefore the same calls have
the same results on every machine.
"""

from benchloom.worlds.session import Session
from benchloom.worlds.state import State
from benchloom.worlds.tool import tool
from benchloom.worlds.world import World

__all__ = ["Session", "State", "World", "tool"]
