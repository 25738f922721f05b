"""No two texts of a run say nearly the same."""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable
from math import ceil

from prompts.checks.base import Check, Finding, dropped, kept
from prompts.subject import Subject
from prompts.values import plain

THRESHOLD = 0.8
_SHINGLE = 2


class NearDuplicate(Check):
    """Jaccard similarity of word pairs of 0.8 or more with an earlier text of the same kind.

    Exact, not sampled: two sets that similar must share one of their first few elements in a
    common order, so only texts that share one are compared.
    """

    name = "near_duplicate"
    kinds = frozenset({"query", "instruction", "nested"})

    def examine(self, subject: Subject) -> Finding:
        """A single text has nothing to be a duplicate of."""
        return self.examiner()(subject)

    def examiner(self) -> Callable[[Subject], Finding]:
        """An index over the texts of one run; of two similar texts the earlier one stays."""
        return _Index().examine


class _Index:
    def __init__(self) -> None:
        self._texts: list[tuple[str, array[int]]] = []
        self._by_shingle: defaultdict[int, list[int]] = defaultdict(list)

    def examine(self, subject: Subject) -> Finding:
        shingles = _shingles(subject.text)
        head = shingles[: len(shingles) - ceil(THRESHOLD * len(shingles)) + 1]
        candidates = {number for shingle in head for number in self._by_shingle[shingle]}
        for number in sorted(candidates):
            query_id, other = self._texts[number]
            score = _similarity(shingles, other)
            if score >= THRESHOLD:
                return dropped("near_duplicate", f"{score:.2f} like {query_id}")
        # Only texts that stay are compared with, so a chain of copies drops one by one.
        for shingle in head:
            self._by_shingle[shingle].append(len(self._texts))
        self._texts.append((subject.query_id, array("Q", shingles)))
        return kept(f"unlike {len(self._texts) - 1} earlier texts")


def _shingles(text: str) -> list[int]:
    """Hashes of the word pairs of a text, sorted."""
    words = plain(text).split() or [text]
    runs = range(max(1, len(words) - _SHINGLE + 1))
    pairs = {" ".join(words[start : start + _SHINGLE]).encode() for start in runs}
    return sorted(
        int.from_bytes(hashlib.blake2b(pair, digest_size=8).digest(), "big") for pair in pairs
    )


def _similarity(first: list[int], second: "array[int]") -> float:
    left, right = set(first), set(second)
    return len(left & right) / len(left | right)


CHECK = NearDuplicate()
