"""Forms in which trainers read tasks: one module per form, with a row or a folder per task.

A module offers `FORMAT`; its name is a value of `release export --format`. Trainers play the rows
at a server, `benchloom world serve`, which scores them.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.task_formats.base import FolderFormat, RowFormat, TaskFormat

__all__ = ["TASK_FORMATS", "FolderFormat", "RowFormat", "TaskFormat"]

TASK_FORMATS = Kind(
    "task format", __name__, TaskFormat, attribute="FORMAT", dashed=True, beside=("base",)
)
