"""Check that no two texts of a run are nearly the same while they state the same values."""

from array import array
from collections.abc import Iterable
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from prompts.checks import Check, Finding, dropped, passing
from prompts.language.words import plain
from prompts.subject import Subject

THRESHOLD = 0.8
FEW = 24
"""Up to this number of texts with the same values, texts are compared one by one without an
index."""


def examine(subject: Subject) -> Finding:
    """Drops a text if its word pairs have a Jaccard similarity of 0.8 or more to another text.

    Only earlier texts of the same kind are compared. A similar text with other values belongs to
    another plan and is kept, unless it has exactly the same word pairs. The comparison is exact,
    not sampled. Texts are grouped by their values, so that time is linear in their number; 10,000
    texts take about 10 MiB, or 30 MiB if the texts have no values.
    """
    # A run uses `comparison`; a single text has no earlier text that it could repeat.
    return _Index().examine(subject)


class _KeptText(NamedTuple):
    """A text that was kept, with its position among kept texts and the hashes of its word pairs."""

    query_id: str
    number: int
    pairs: "array[int]"


class _Index:
    """The kept texts of one run, found by their word pairs and by their values.

    The first of several similar texts is kept. A text that another check drops is compared with
    kept texts, but later texts are not compared with it.
    """

    def __init__(self) -> None:
        self._by_pairs: dict[int, _KeptText] = {}
        self._by_values: dict[int, _Group] = {}

    def examine(self, subject: Subject) -> Finding:
        pairs = _pairs(subject.text)
        text_hash = hash(frozenset(pairs))
        group = self._by_values.setdefault(_values(subject), _Group())
        alike = list(group.alike(pairs))
        if (equal := self._by_pairs.get(text_hash)) is not None:
            alike.append((equal.number, 1.0, equal))
        if alike:
            _, score, first = min(alike)
            return dropped("near_duplicate", f"{score:.2f} like {first.query_id}")
        if not subject.passes_alone:
            return passing("no kept text is alike")
        # A dropped text is not indexed: later texts are compared with kept texts only.
        text = _KeptText(subject.query_id, len(self._by_pairs), array("q", pairs))
        self._by_pairs[text_hash] = text
        group.add(text)
        # No count: it would differ whenever any other text is added.
        return passing("no kept text is alike")


class _Group:
    """All kept texts of a run that state the same values."""

    __slots__ = ("_holders", "_texts")

    def __init__(self) -> None:
        self._texts: list[_KeptText] = []
        self._holders: dict[int, list[int]] = {}
        """Positions of the texts that contain a word pair. It is empty if there are few texts."""

    def alike(self, pairs: set[int]) -> Iterable[tuple[int, float, _KeptText]]:
        """Yield position, similarity and text for every kept text that is nearly equal."""
        for text in self._candidates(pairs):
            size = len(text.pairs)
            if THRESHOLD * len(pairs) <= size <= len(pairs) / THRESHOLD:
                shared = len(pairs.intersection(text.pairs))
                score = shared / (len(pairs) + size - shared)
                if score >= THRESHOLD:
                    yield text.number, score, text

    def add(self, text: _KeptText) -> None:
        """Add a kept text, so that later texts are compared with it."""
        self._texts.append(text)
        if len(self._texts) > FEW:
            # The text that exceeds FEW brings all earlier texts into the index; later ones only
            # themselves.
            first = len(self._texts) - 1 if self._holders else 0
            for index, indexed_text in enumerate(self._texts[first:], first):
                for pair in indexed_text.pairs:
                    self._holders.setdefault(pair, []).append(index)

    def _candidates(self, pairs: set[int]) -> Iterable[_KeptText]:
        """Return the kept texts that may be similar to a text with these word `pairs`.

        Every similar text shares at least one of the rarest of these `pairs`.
        """
        if not self._holders:
            return self._texts
        holders = sorted((self._holders.get(pair, ()) for pair in pairs), key=len)
        # A similar text has at least THRESHOLD of the n pairs. So it cannot lack all of the n -
        # THRESHOLD * n + 1 rarest ones, and only the texts that contain these are compared.
        rarest = holders[: len(pairs) - ceil(THRESHOLD * len(pairs)) + 1]
        return [
            self._texts[index] for index in {position for indices in rarest for position in indices}
        ]


def _values(subject: Subject) -> int:
    """Return a hash of the values that a text must state; texts with equal hashes form a group."""
    return hash(frozenset((entry.name, plain(entry.value)) for entry in subject.required))


def _pairs(text: str) -> set[int]:
    """Return the hashes of all word pairs of a text; they are only valid in this process."""
    words = plain(text).split() or [text]
    return set(map(hash, pairwise(words))) or {hash(words[0])}


CHECK = Check(
    name="near_duplicate",
    kinds=frozenset({"query", "instruction", "nested"}),
    explains={"near_duplicate": "The text is nearly the same as an earlier one."},
    examine=examine,
    comparison=lambda: _Index().examine,
)
