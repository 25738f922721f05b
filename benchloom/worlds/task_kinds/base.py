"""The base of all kinds of tasks: `TaskKind`."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate, Task

if TYPE_CHECKING:  # a configuration lists the kinds, and proves nothing
    from benchloom.worlds.proving import Grounds

Draws: TypeAlias = Callable[[str, Suite, Sequence[SourceObject], int], Iterator[Candidate]]
"""Candidates of a suite, by its name, from a user's files or drawn by a seed."""


def _unchanged(task: Task, grounds: "Grounds") -> Task:
    del grounds
    return task


class TaskKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of tasks.

    Args:
        about: one line that helps users to choose.
        candidates: returns what may become tasks, of a suite that has the kind.
        finish: turns a proved task into one of this kind. Raises `RejectedInputError`.
        answers_questions: whether the user says the turns after the first only when asked for them.
        own_kinds: suites have this kind if their own candidates are of these kinds; without any,
            suites that draw requests have it.
    """

    about: str
    candidates: Draws
    finish: Callable[[Task, "Grounds"], Task] = _unchanged
    answers_questions: bool = False
    own_kinds: tuple[str, ...] = ()

    def fault(self, name: str, suite: Suite) -> str:
        """Return why a suite has no tasks of this kind; empty if it has them."""
        if suite.candidates is None:
            return f"no tasks are made of {name}"
        if self.own_kinds and suite.kind not in self.own_kinds:
            return f"tasks of {name} are of kind {suite.kind}"
        if not self.own_kinds and suite.requests is None:
            return f"no tasks of this kind are made of {name}, which draws no requests"
        return ""

    def draw(
        self, name: str, suite: Suite, files: Sequence[SourceObject], seed: int
    ) -> Iterator[Candidate]:
        """Return the candidates of a suite.

        Raises:
            RunError: the suite has no tasks of this kind.
        """
        if fault := self.fault(name, suite):
            raise RunError(fault)
        return self.candidates(name, suite, files, seed)
