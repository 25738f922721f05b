"""What a check is: a rule that keeps or drops one text, with evidence."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import msgspec

from prompts.subject import Subject

MAX_EVIDENCE = 200


class Finding(msgspec.Struct, frozen=True, gc=False):
    """What a check found: `reason` is "ok" or a stable word, `evidence` one line."""

    kept: bool
    reason: str
    evidence: str


def kept(evidence: str) -> Finding:
    """The text passes."""
    return Finding(kept=True, reason="ok", evidence=evidence[:MAX_EVIDENCE])


def dropped(reason: str, evidence: str) -> Finding:
    """The text fails."""
    return Finding(kept=False, reason=reason, evidence=evidence[:MAX_EVIDENCE])


class Check(ABC):
    """One rule. A module of this package offers it as `CHECK`."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    """The kinds of text it is meant for."""

    @abstractmethod
    def examine(self, subject: Subject) -> Finding:
        """Keep or drop one text."""

    def examiner(self) -> Callable[[Subject], Finding]:
        """A function for one run over texts in order; a rule across texts keeps its memory here."""
        return self.examine

    @classmethod
    def across_texts(cls) -> bool:
        """Whether it compares a text with those before it, and so has an examiner of its own.

        It is given what `subject.compared` leaves: of most texts nothing else is known any more.
        """
        return cls.examiner is not Check.examiner
