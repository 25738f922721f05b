"""Answer the messages that an agent sends to the user during a run of a task."""

from benchloom.worlds.task import Task
from benchloom.worlds.task_kinds import TASK_KINDS
from benchloom.worlds.user.user import User
from benchloom.worlds.world import World

MAX_ANSWERS = 100
"""The maximum number of messages that the user of a dialogue answers."""


class Conversation:
    """The user of a task during a run, who answers each message of the agent.

    The user of a dialogue task answers questions until a message asks nothing. The user of any
    other task replies with the next recorded turn, whatever the message is.
    """

    def __init__(self, task: Task, world: World) -> None:
        self.turn = 0
        self.is_over = False
        self._turns = task.turns
        self._user = User(task, world) if TASK_KINDS.find(task.kind).answers_questions else None

    def say(self, text: str) -> str | None:
        """Return the user's reply to a message, or None if the conversation is over."""
        self.turn += 1
        if self._user is None:
            answer = next(iter(self._turns[self.turn :]), None)
        else:
            answer = self._user.answer(text) if self.turn < MAX_ANSWERS else None
        self.is_over = answer is None
        return answer
