"""No two texts of a run say nearly the same of the same values."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.language.values import plain
from prompts.subject import Subject

THRESHOLD = 0.8


class NearDuplicate(Check):
    """Jaccard similarity of word pairs of 0.8 or more with an earlier text of the same kind.

    A text that is nearly the same but carries other values belongs to another plan and stays;
    one that is the same word by word does not. Exact, not sampled. An index of 10,000 texts takes
    about 40 MiB.
    """

    name = "near_duplicate"
    kinds = frozenset({"query", "instruction", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """A single text has nothing to be a duplicate of."""
        return self.examiner()(subject)

    def examiner(self) -> Callable[[Subject], Finding]:
        """An index over the texts of one run; of two similar texts the earlier one stays."""
        return _Index().examine


_Kept = tuple[str, int, int]
"""The id of a text, the number of its word pairs, and the hash of its values."""


class _Index:
    """Every word pair of the texts that stay, with the numbers of the texts that have it."""

    def __init__(self) -> None:
        self._texts: list[_Kept] = []
        self._holders: dict[int, int | list[int]] = {}

    def examine(self, subject: Subject) -> Finding:
        pairs = _pairs(subject.text)
        holders = sorted((self._holding(pair) for pair in pairs), key=len)
        # A text that similar lacks at most a fifth of the pairs, so it holds one of these: the
        # rarest ones are looked up, and everyday pairs are only counted.
        looked_up = holders[: len(pairs) - ceil(THRESHOLD * len(pairs)) + 1]
        candidates = {number for found in looked_up for number in found}
        values = _values(subject)
        for number in sorted(candidates):
            query_id, size, others = self._texts[number]
            if not THRESHOLD * len(pairs) <= size <= len(pairs) / THRESHOLD:
                continue
            shared = sum(_holds(found, number) for found in holders)
            score = shared / (len(pairs) + size - shared)
            if score == 1 or (score >= THRESHOLD and values == others):
                return dropped("near_duplicate", f"{score:.2f} like {query_id}")
        # Only texts that stay are compared with, so a chain of copies drops one by one.
        for pair in pairs:
            self._add(pair, len(self._texts))
        self._texts.append((subject.query_id, len(pairs), values))
        # No count: it would differ whenever any other text is added.
        return kept("no earlier text is alike")

    def _holding(self, pair: int) -> Sequence[int]:
        found = self._holders.get(pair, ())
        return (found,) if isinstance(found, int) else found

    def _add(self, pair: int, number: int) -> None:
        """Most pairs have one text, and a bare number is a quarter of a list's size."""
        found = self._holders.setdefault(pair, number)
        if isinstance(found, list):
            found.append(number)
        elif found != number:
            self._holders[pair] = [found, number]


def _holds(numbers: Sequence[int], number: int) -> bool:
    """Whether a rising sequence has a number."""
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number


def _values(subject: Subject) -> int:
    """What a text has to state, which tells plans of one wording apart."""
    return hash(frozenset((entry.name, plain(entry.value)) for entry in subject.required))


def _pairs(text: str) -> set[int]:
    """Hashes of the word pairs of a text; they are compared within one process only."""
    words = plain(text).split() or [text]
    return set(map(hash, pairwise(words))) or {hash(words[0])}


CHECK = NearDuplicate()
