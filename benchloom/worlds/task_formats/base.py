"""The base classes of formats in which tasks are exported for trainers of agents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.runs.offered_tools import Replies
from benchloom.worlds.task import Task


class TaskFormat(ABC):
    """A format in which tasks are exported, each with its id, split, licence and source."""

    title: ClassVar[str]
    """A description of the format in one line, for lists."""
    replies: ClassVar[Replies] = "turns"
    """When the offered tools include `reply_to_user`, with which an agent replies to the user."""


class RowFormat(TaskFormat):
    """A format with a row for each task, and a file of JSON Lines for each split."""

    @abstractmethod
    def row(self, task: Task, offer: Offer) -> dict[str, Plain]:
        """Return the row for a task, without the plan and the expected answer."""


def facts_of(task: Task) -> dict[str, str]:
    """Return the id, suite, split, licence and source of a task, which every format contains."""
    return {
        "task_id": task.task_id,
        "suite": task.suite,
        "split": task.split,
        "licence": task.license,
        "source": task.source,
        "source_uri": task.source_uri,
    }


class FolderFormat(TaskFormat):
    """A format with a folder for each task, named after the split and the id of the task."""

    hidden: ClassVar[tuple[str, ...]] = ()
    """Subfolders that may contain the plan of a task, because agents cannot read the subfolders."""

    @abstractmethod
    def files(self, task: Task, offer: Offer) -> Mapping[str, bytes]:
        """Return a mapping from paths in the folder of a task to the contents of its files."""
