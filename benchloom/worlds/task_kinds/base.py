"""The class of all kinds of tasks, and functions that draw their candidates from a suite."""

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
"""A function that returns candidates of a suite, converted from files or drawn by a seed."""


def own_candidates(
    name: str, suite: Suite, files: Sequence[SourceObject], seed: int
) -> Iterator[Candidate]:
    """Return the candidates of `suite.candidates`, drawn by the seed or converted from files."""
    del name
    return iter(()) if suite.candidates is None else suite.candidates(files, seed)


def drawn(name: str, suite: Suite, seed: int, shape: Shape) -> Iterator[Candidate]:
    """Draw an endless series of candidates; `shape` sets their numbers of goals and calls."""
    requests = () if suite.requests is None else suite.requests()
    return candidates(suite.world(suite.start), name, suite.start, requests, seed, shape=shape)


def _unchanged(task: Task, open_worlds: "OpenWorlds") -> Task:
    del open_worlds
    return task


class TaskKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of tasks, such as long tasks or tasks with a policy.

    Args:
        about: a description in one line.
        candidates: a function that returns candidates of a suite; by default those that
            `Suite.candidates` returns.
        finish: a function that turns a checked task into a task of this kind, or raises
            `RejectedInputError`.
        answers_questions: whether the user states the later turns only when asked.
        own_kinds: only suites whose `Suite.kind` is in this tuple have tasks of this kind. If the
            tuple is empty, all suites that draw requests have tasks of this kind.
    """

    about: str
    candidates: Draws = own_candidates
    finish: Callable[[Task, "OpenWorlds"], Task] = _unchanged
    answers_questions: bool = False
    own_kinds: tuple[str, ...] = ()

    def fault(self, name: str, suite: Suite) -> str:
        """Return the reason why a suite has no tasks of this kind, or "" if it has tasks."""
        if suite.candidates is None:
            return f"suite '{name}' has no tasks"
        if self.own_kinds and suite.kind not in self.own_kinds:
            return f"suite '{name}' has tasks of kind '{suite.kind}' only; choose that kind"
        if not self.own_kinds and suite.requests is None:
            return f"suite '{name}' draws no requests, so it has no tasks of this kind"
        return ""

    def draw(
        self, name: str, suite: Suite, files: Sequence[SourceObject], seed: int
    ) -> Iterator[Candidate]:
        """Return candidates for tasks of this kind, which later checks accept or reject.

        Raises:
            RunError: the suite has no tasks of this kind.
        """
        if fault := self.fault(name, suite):
            raise RunError(fault)
        return self.candidates(name, suite, files, seed)
