"""The kind of tasks that request the effects which a shortcut had on a simulated device."""

from benchloom.worlds.task_kinds.base import TaskKind

KIND = TaskKind(
    about="Requests for changes that a shared shortcut makes.",
    own_kinds=("shortcut",),
)
