"""Requests for the effects of shortcuts, made from their runs on the simulated device."""

from benchloom.worlds.task_kinds.base import TaskKind

KIND = TaskKind(
    about="Requests for the effects of shared shortcuts.",
    own_kinds=("shortcut",),
)
