"""What a kind of tasks has to offer."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from benchloom.storage.inputs import SourceObject
from benchloom.worlds.proving import Grounds
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate, Task

Draws: TypeAlias = Callable[[str, Suite, Sequence[SourceObject], int], Iterator[Candidate]]
"""Candidates of a suite, by its name, from a user's files or drawn by a seed."""


def _unchanged(task: Task, grounds: Grounds) -> Task:
    del grounds
    return task


class TaskKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of tasks.

    Args:
        about: one line that helps users to choose.
        candidates: returns what may become tasks. Raises `RunError` for a suite without this
            kind.
        finish: turns a proved task into one of this kind. Raises `RejectedInputError`.
    """

    about: str
    candidates: Draws
    finish: Callable[[Task, Grounds], Task] = _unchanged
