"""The kinds of tasks; each module defines a `KIND`, which draws candidate tasks from a suite.

The name of the module is a value of the option `world build --kind`.
"""

from typing import TYPE_CHECKING

from benchloom.core.kinds import Kind

if TYPE_CHECKING:
    from benchloom.worlds.task_kinds.base import TaskKind

TASK_KINDS: "Kind[TaskKind]" = Kind(
    "task kind",
    __name__,
    "benchloom.worlds.task_kinds.base.TaskKind",
    attribute="KIND",
    dashed=True,
    beside=("base",),
)
