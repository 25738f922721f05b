"""Requests that contain everything from the start, or go on whatever the agent says."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.task_kinds.drawing import recorded_or_drawn

KIND = TaskKind(about="The user says everything by themselves.", candidates=recorded_or_drawn)
