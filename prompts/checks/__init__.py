"""Rule-based checks, one per module; a text is kept if every check for its kind keeps it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import msgspec

from benchloom.core.kinds import Kind
from prompts.subject import Subject

MAX_EVIDENCE = 200


class Finding(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a check: `reason` is "ok" or a stable word, `evidence` one line."""

    kept: bool
    reason: str
    evidence: str


def passing(evidence: str) -> Finding:
    """Return the finding for a text that passes."""
    return Finding(kept=True, reason="ok", evidence=evidence[:MAX_EVIDENCE])


def dropped(reason: str, evidence: str) -> Finding:
    """Return the finding for a text that fails."""
    return Finding(kept=False, reason=reason, evidence=evidence[:MAX_EVIDENCE])


class Check(ABC):
    """One rule. A module of this package defines it as `CHECK`."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    """The kinds of text it is meant for."""
    explains: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Every reason for which it drops a text, with a plain sentence."""

    @abstractmethod
    def examine(self, subject: Subject) -> Finding:
        """Keep or drop one text."""

    def examiner(self) -> Callable[[Subject], Finding]:
        """Return a function that examines the texts of one run in order.

        A rule that compares texts stores earlier texts in this function.
        """
        return self.examine

    @classmethod
    def across_texts(cls) -> bool:
        """Whether the check compares a text with earlier ones, and so overrides `examiner`.

        A check that compares texts receives only the fields in `subject.compared`: for most
        texts no other field is available any more.
        """
        return cls.examiner is not Check.examiner


CHECKS = Kind("check", __name__, Check, attribute="CHECK", beside=("measure",))


def checks_for(kind: str) -> list[Check]:
    """Return the checks for a kind of text, in the order of their names."""
    return [check for check in CHECKS.all().values() if kind in check.kinds]
