"""The kind of tasks in which the user's turns do not depend on the agent's messages."""

from benchloom.worlds.task_kinds.base import TaskKind

KIND = TaskKind(
    about="The user states everything without being asked.",
    own_kinds=("request",),
)
