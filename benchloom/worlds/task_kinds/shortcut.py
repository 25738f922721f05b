"""Requests for the effects of shortcuts, made from their runs on the simulated device."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.task_kinds.drawing import own_candidates

KIND = TaskKind(
    about="Requests for the effects of shared shortcuts.",
    candidates=own_candidates,
    own_kinds=("shortcut",),
)
