"""Which texts are kept: what checks and people say about each of them together.

Where nobody has read a text, every check has to keep it. Where people have, more of them have to
keep it than to drop it: they are right about what a check only guesses at. What no reader of one
text can see, or may allow, stands whatever they say: that is told by the checks of `UNMOVED`.

A text is a near duplicate only of a text that is kept. A judge or a reader may drop the text that
others are like after those were dropped; then the best of the others takes its place.
"""

import re
from collections import Counter, defaultdict

from benchloom.core.records.verdict import is_human, is_judgement

UNMOVED = frozenset({"foreign_directive", "near_duplicate"})
"""Checks that no reader overrules: orders of strangers that a text obeys, and its likeness to
texts that the reader was not shown."""

NEAR_DUPLICATE = "near_duplicate"
_LIKE = re.compile(r" like (\S+)$")
"""The end of the evidence of a near duplicate: the text that it is like."""


class Words:
    """What all verdicts of a release say."""

    def __init__(self) -> None:
        self.judged: set[object] = set()
        self._dropped: set[object] = set()
        self._unmoved: set[object] = set()
        self._people: Counter[object] = Counter()
        self._read: set[object] = set()
        self._originals: dict[object, object] = {}
        self._copies: defaultdict[object, list[object]] = defaultdict(list)

    def add(self, target: object, check: str, *, kept: bool, evidence: str = "") -> None:
        """Take in one verdict; `evidence` is that of a near duplicate."""
        if is_human(check):
            self._read.add(target)
            self._people[target] += 1 if kept else -1
            return
        if is_judgement(check):
            self.judged.add(target)
        original = None if kept or check != NEAR_DUPLICATE else _LIKE.search(evidence)
        if original is not None:
            self._originals[target] = original[1]
            self._copies[original[1]].append(target)
        elif not kept:
            self._dropped.add(target)
            if check in UNMOVED:
                self._unmoved.add(target)

    def keep(self, target: object) -> bool:
        """Whether a text is kept; readers who are split evenly have not settled it: it is not."""
        if not self._passes(target):
            return False
        original = self._originals.get(target)
        if original is None:
            return True
        if self._passes(original):
            return False
        return target == min(filter(self._passes, self._copies[original]), key=self._rank)

    def _passes(self, target: object) -> bool:
        """Whether a text is kept for what it says by itself."""
        if target in self._read:
            return self._people[target] > 0 and target not in self._unmoved
        return target not in self._dropped

    def _rank(self, target: object) -> tuple[int, bool, str]:
        """The best first: what most people keep, then what a judge has seen, then by its id."""
        return -self._people[target], target not in self.judged, str(target)
