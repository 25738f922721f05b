"""The base class of all kinds of tasks."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from benchloom.core.errors import RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.requests.combinations import Shape, candidates
from benchloom.worlds.suite import Suite
from benchloom.worlds.task import Candidate, Task

if TYPE_CHECKING:  # the configuration lists kinds without importing proofs
    from benchloom.worlds.proofs import OpenWorlds

Draws: TypeAlias = Callable[[str, Suite, Sequence[SourceObject], int], Iterator[Candidate]]
"""A function that returns a suite's candidates, from a user's files or drawn by a seed."""


def own_candidates(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Return the tasks to prove that the suite itself draws, or makes from files."""
    del name
    return iter(()) if suite.candidates is None else suite.candidates(files, seed)


def drawn(name: str, suite: Suite, seed: int, shape: Shape) -> Iterator[Candidate]:
    """Draw an endless series of requests with the given shape."""
    requests = () if suite.requests is None else suite.requests()
    return candidates(suite.world(suite.start), name, suite.start, requests, seed, shape=shape)


def _unchanged(task: Task, open_worlds: "OpenWorlds") -> Task:
    del open_worlds
    return task


class TaskKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of tasks.

    Args:
        about: a description in one line.
        candidates: returns the candidates of a suite that has this kind; by default its own.
        finish: turns a checked task into a task of this kind, or raises `RejectedInputError`.
        answers_questions: whether the user states the later turns only when asked.
        own_kinds: a suite has this kind if its candidates are of one of these kinds; if there are
            none, every suite that draws requests has it.
    """

    about: str
    candidates: Draws = own_candidates
    finish: Callable[[Task, "OpenWorlds"], Task] = _unchanged
    answers_questions: bool = False
    own_kinds: tuple[str, ...] = ()

    def fault(self, name: str, suite: Suite) -> str:
        """Return the reason why a suite has no tasks of this kind, or ""."""
        if suite.candidates is None:
            return f"suite '{name}' has no tasks"
        if self.own_kinds and suite.kind not in self.own_kinds:
            return f"suite '{name}' has tasks of kind '{suite.kind}' only"
        if not self.own_kinds and suite.requests is None:
            return f"suite '{name}' draws no requests, so it has no tasks of this kind"
        return ""

    def draw(
        self, name: str, suite: Suite, files: Sequence[SourceObject], seed: int
    ) -> Iterator[Candidate]:
        """Return drafts of tasks of this kind from a suite, which are then proved or rejected.

        Raises:
            RunError: the suite has no tasks of this kind.
        """
        if fault := self.fault(name, suite):
            raise RunError(fault)
        return self.candidates(name, suite, files, seed)
