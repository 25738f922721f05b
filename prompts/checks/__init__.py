"""This package contains the rule-based checks of generated texts, one per module.

A text is kept only if every check for its kind accepts it.
"""

from collections.abc import Callable, Mapping

import msgspec

from benchloom.core.kinds import Kind
from prompts.subject import Subject

MAX_EVIDENCE = 200


class Finding(msgspec.Struct, frozen=True, gc=False):
    """The result of one check of one text.

    `kept` is True if the text passes. `reason` is then "ok", and otherwise the code of the fault.
    `evidence` quotes or counts what the check found.
    """

    kept: bool
    reason: str
    evidence: str


def passing(evidence: str) -> Finding:
    """Return the finding for a text that passes a check."""
    return Finding(kept=True, reason="ok", evidence=evidence[:MAX_EVIDENCE])


def dropped(reason: str, evidence: str) -> Finding:
    """Return the finding for a text that a check drops, with the code of the fault as reason."""
    return Finding(kept=False, reason=reason, evidence=evidence[:MAX_EVIDENCE])


Examine = Callable[[Subject], Finding]
"""A function that examines one text. Its docstring describes the check in dataset cards."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that keeps or drops generated texts; each module of this package defines a `CHECK`.

    Attributes:
        name: the name of the module.
        kinds: the kinds of texts that the check examines.
        explains: a mapping from each reason for which the check drops texts to a plain sentence.
        examine: returns the finding for one text.
        comparison: None for most checks. A check that compares each text with earlier texts has a
            function here, which returns a new `examine` function for the texts of one run, in
            order. This function receives only ids, texts and required values, because the other
            data of most texts is no longer in memory.
    """

    name: str
    kinds: frozenset[str]
    explains: Mapping[str, str] = {}
    examine: Examine
    comparison: Callable[[], Examine] | None = None

    def examiner(self) -> Examine:
        """Return the function that examines the texts of one run, in order."""
        return self.examine if self.comparison is None else self.comparison()


CHECKS = Kind("check", __name__, Check, attribute="CHECK", beside=("measure",))


def checks_for(kind: str) -> list[Check]:
    """Return the checks for one kind of text, sorted by name."""
    return [check for check in CHECKS.all().values() if kind in check.kinds]
