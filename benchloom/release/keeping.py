"""Which texts are kept: what checks and people say about each of them together.

Where nobody has read a text, every check has to keep it. Where people have, more of them have to
keep it than to drop it: they are right about what a check only guesses at. What no reader of one
text can see, or may allow, stands whatever they say: that is told by the checks of `UNMOVED`.
"""

from collections import Counter

from benchloom.records.verdict import is_human, is_judgement

UNMOVED = frozenset({"foreign_directive", "near_duplicate"})
"""Checks that no reader overrules: orders of strangers that a text obeys, and its likeness to
texts that the reader was not shown."""


class Words:
    """What all verdicts of a release say."""

    def __init__(self) -> None:
        self.judged: set[object] = set()
        self._dropped: set[object] = set()
        self._unmoved: set[object] = set()
        self._people: Counter[object] = Counter()
        self._read: set[object] = set()

    def add(self, target: object, check: str, *, kept: bool) -> None:
        """Take in one verdict."""
        if is_human(check):
            self._read.add(target)
            self._people[target] += 1 if kept else -1
            return
        if is_judgement(check):
            self.judged.add(target)
        if not kept:
            self._dropped.add(target)
            if check in UNMOVED:
                self._unmoved.add(target)

    def keep(self, target: object) -> bool:
        """Whether a text is kept; readers who are split evenly have not settled it: it is not."""
        if target in self._read:
            return self._people[target] > 0 and target not in self._unmoved
        return target not in self._dropped
