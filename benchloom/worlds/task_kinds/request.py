"""Requests that need no questions: their turns do not depend on the agent's messages."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.task_kinds.drawing import own_candidates

KIND = TaskKind(
    about="The user states everything without being asked.",
    candidates=own_candidates,
    own_kinds=("request",),
)
