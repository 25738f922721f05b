"""The formats in which tasks are exported for trainers of agents; each module defines `FORMAT`.

The name of a module is a value of the option `release export --format`. A format writes a row or a
folder for each task. To play the task of a row, a trainer calls the tools of a server (`benchloom
world serve`), which also scores the attempt.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.task_formats.base import FolderFormat, RowFormat, TaskFormat

__all__ = ["TASK_FORMATS", "FolderFormat", "RowFormat", "TaskFormat"]

TASK_FORMATS = Kind(
    "task format", __name__, TaskFormat, attribute="FORMAT", dashed=True, beside=("base",)
)
