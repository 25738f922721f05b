"""Requests that are complete from the start, or continue whatever the agent says."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.task_kinds.drawing import own_candidates

KIND = TaskKind(
    about="The user says everything by themselves.",
    candidates=own_candidates,
    own_kinds=("request",),
)
