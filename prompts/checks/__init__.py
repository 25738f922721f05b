"""Rule-based checks, one per module; a text is kept if all checks of its kind accept it."""

from collections.abc import Callable, Mapping

import msgspec

from benchloom.core.kinds import Kind
from prompts.subject import Subject

MAX_EVIDENCE = 200


class Finding(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a check: `reason` is "ok" or names a fault, and `evidence` shows it."""

    kept: bool
    reason: str
    evidence: str


def passing(evidence: str) -> Finding:
    """Return the result of a check for a text that passes it."""
    return Finding(kept=True, reason="ok", evidence=evidence[:MAX_EVIDENCE])


def dropped(reason: str, evidence: str) -> Finding:
    """Return the result of a check for a text that the check drops, with the reason."""
    return Finding(kept=False, reason=reason, evidence=evidence[:MAX_EVIDENCE])


Examine = Callable[[Subject], Finding]
"""A function that keeps or drops one text; its docstring is the description of the check."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that keeps or drops a generated text. Each module of this package defines a `CHECK`.

    Attributes:
        name: the name of the module.
        kinds: the kinds of text that it examines.
        explains: every reason for which it drops a text, with a plain sentence.
        examine: keeps or drops one text.
        comparison: for a check that compares a text with earlier ones, returns a function that
            examines the texts of one run in order. It receives only ids,
            texts and required values: the other data of most texts is no longer in memory.
    """

    name: str
    kinds: frozenset[str]
    explains: Mapping[str, str] = {}
    examine: Examine
    comparison: Callable[[], Examine] | None = None

    def examiner(self) -> Examine:
        """Return a function that examines the texts of one run in order."""
        return self.examine if self.comparison is None else self.comparison()


CHECKS = Kind("check", __name__, Check, attribute="CHECK", beside=("measure",))


def checks_for(kind: str) -> list[Check]:
    """Return the checks for a kind of text, in the order of their names."""
    return [check for check in CHECKS.all().values() if kind in check.kinds]
