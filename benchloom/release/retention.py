"""Decide which texts are kept, from all verdicts of checks and people about each text.

A text that nobody read is kept only if every check keeps it; else the majority of readers decides,
except over `UNMOVED`. A near duplicate counts as one only if its original is kept; if a judge or a
reader drops the original, the best of its near duplicates is kept instead.
"""

import re
from collections import Counter, defaultdict

from benchloom.core.records.texts import is_human, is_judgement

UNMOVED = frozenset({"foreign_directive", "near_duplicate"})
"""Checks that no reader overrules: orders of strangers that a text obeys, and its likeness to
texts that the reader was not shown."""

NEAR_DUPLICATE = "near_duplicate"
_LIKE = re.compile(r" like (\S+)$")
"""The end of a near duplicate's evidence, with the id of its original."""


class Words:
    """All verdicts of a release, and the decision about each text."""

    def __init__(self) -> None:
        self.judged: set[object] = set()
        self._dropped: set[object] = set()
        self._unmoved: set[object] = set()
        self._people: Counter[object] = Counter()
        self._read: set[object] = set()
        self._originals: dict[object, object] = {}
        self._copies: defaultdict[object, list[object]] = defaultdict(list)

    def add(self, target: object, check: str, *, kept: bool, evidence: str = "") -> None:
        """Add one verdict; `evidence` is only read for a near duplicate."""
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
        """Whether a text is kept; a text over which readers are split evenly is not."""
        if not self._passes(target):
            return False
        original = self._originals.get(target)
        if original is None:
            return True
        if self._passes(original):
            return False
        return target == min(filter(self._passes, self._copies[original]), key=self._rank)

    def _passes(self, target: object) -> bool:
        # By all rules but that about near duplicates.
        if target in self._read:
            return self._people[target] > 0 and target not in self._unmoved
        return target not in self._dropped

    def _rank(self, target: object) -> tuple[int, bool, str]:
        # Best first: the most people who keep it, then judged texts, then the id.
        return -self._people[target], target not in self.judged, str(target)
