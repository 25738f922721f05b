"""Formats of tasks for trainers: a module per format, with a row or a folder per task.

A module defines `FORMAT`; its name is a value of `release export --format`. Trainers play the rows
against a server, `benchloom world serve`, which scores them.
"""

from benchloom.core.kinds import Kind
from benchloom.worlds.task_formats.base import FolderFormat, RowFormat, TaskFormat

__all__ = ["TASK_FORMATS", "FolderFormat", "RowFormat", "TaskFormat"]

TASK_FORMATS = Kind(
    "task format", __name__, TaskFormat, attribute="FORMAT", dashed=True, beside=("base",)
)
