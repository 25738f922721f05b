"""Base class of the forms in which trainers read tasks."""

from abc import ABC, abstractmethod
from typing import ClassVar

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.runs.replies import Replies
from benchloom.worlds.task import Task


class TaskFormat(ABC):
    """One form of tasks; every row contains the task's id, split, licence and source."""

    title: ClassVar[str]
    """What it is, in one line, for lists of formats."""
    replies: ClassVar[Replies] = "turns"
    """When the tool `reply_to_user` is offered."""

    @abstractmethod
    def row(self, task: Task, offer: Offer) -> dict[str, Plain]:
        """Return the row of a task, without its plan and its answer."""
