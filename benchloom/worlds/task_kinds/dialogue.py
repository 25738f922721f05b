"""The kind of tasks in which the user states facts only when the agent asks for them."""

from benchloom.worlds.task_kinds.base import TaskKind
from benchloom.worlds.user.dialogue import dialogue_of

KIND = TaskKind(
    about="The user states facts only when asked.",
    own_kinds=("request", "shortcut"),
    finish=dialogue_of,
    answers_questions=True,
)
