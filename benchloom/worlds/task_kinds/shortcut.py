"""Requests for the effects of shortcuts, made from their runs on the simulated device."""

from benchloom.worlds.task_kinds.base import TaskKind

KIND = TaskKind(
    about="Requests for changes that a shared shortcut makes.",
    own_kinds=("shortcut",),
)
