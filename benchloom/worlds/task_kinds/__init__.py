"""Kinds of tasks: a module per kind, which draws its candidates from a suite.

A module defines `KIND`; its name is a value of `world build --kind`.
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
