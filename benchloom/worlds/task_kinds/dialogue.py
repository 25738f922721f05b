"""Dialogues in which the user tells facts when asked for them."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.task_kinds.drawing import recorded_or_drawn
from benchloom.worlds.user.dialogue import dialogue_of

KIND = TaskKind(
    about="The user tells facts only when asked.",
    candidates=recorded_or_drawn,
    finish=dialogue_of,
)
