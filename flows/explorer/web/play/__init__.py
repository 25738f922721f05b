"""The page on which a person plays a task: the request, tools as forms, effects, and the score.

The release is only read. An attempt is a state in memory, as protocols open it for agents.
"""

from flows.explorer.web.play.routes import PLAY, add_to

__all__ = ["PLAY", "add_to"]
