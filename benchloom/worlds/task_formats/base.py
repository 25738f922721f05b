"""Base classes of the formats of tasks for trainers."""

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
    """When the tools include `reply_to_user`."""


class RowFormat(TaskFormat):
    """A row for each task, in a file of lines for each split."""

    @abstractmethod
    def row(self, task: Task, offer: Offer) -> dict[str, Plain]:
        """Return the row for a task in this format, without the plan and answer to be scored."""


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
    """A folder for each task, named after its split and its id."""

    hidden: ClassVar[tuple[str, ...]] = ()
    """Subfolders that may contain the plan, because agents cannot read them."""

    @abstractmethod
    def files(self, task: Task, offer: Offer) -> Mapping[str, bytes]:
        """Return a mapping from paths in the folder of a task to the contents of its files."""
