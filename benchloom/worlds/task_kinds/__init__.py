"""Kinds of tasks: one module per kind, which draws its candidates from a suite.

A module offers `KIND`; its name is a value of `world build --kind`.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.task_kinds.base import TaskKind

__all__ = ["TASK_KINDS", "TaskKind"]

TASK_KINDS = Kind(
    "task kind", __name__, TaskKind, attribute="KIND", dashed=True, beside=("base", "drawing")
)
