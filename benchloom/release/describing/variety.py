"""Measures of how much texts vary, over a sample of at most MAX_TEXTS, on which they depend.

distinct-n: different n-grams over all (Li et al. 2016). Self-BLEU: mean BLEU of each text against
all others (Zhu et al. 2018); BLEU of Papineni et al. 2002 up to four words, smoothed by adding one
above one word (Lin and Och 2004).
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from benchloom.core.plain_words import words_and_marks

MAX_TEXTS = 200
LONGEST = 4
"""Words of the longest n-gram."""
MAX_WORDS = 400
"""Words of a text that are counted."""

Gram = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words and marks, at most MAX_WORDS."""
    return words_and_marks(text[: 20 * MAX_WORDS].casefold())[:MAX_WORDS]


def grams(words: Sequence[str], size: int) -> Counter[Gram]:
    """Count each run of `size` words in a text."""
    return Counter(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def distinct(texts: Sequence[str], size: int) -> float:
    """Return the share of different n-grams among all, 0 to 1; 0 if there are none."""
    gram_counts: Counter[Gram] = Counter()
    for text in texts:
        gram_counts.update(grams(words_of(text), size))
    return len(gram_counts) / gram_counts.total() if gram_counts else 0.0


def self_bleu(texts: Sequence[str]) -> float | None:
    """Return the mean BLEU of each text against all others, 0 to 1; None below two texts.

    One pass is enough: the most of an n-gram in the other texts is the most in all texts, or the
    second most if this text has the most.
    """
    words = [words_of(text) for text in texts]
    words = [entry for entry in words if entry]
    if len(words) < 2:
        return None
    counted = [[grams(entry, size) for size in range(1, LONGEST + 1)] for entry in words]
    tops: dict[Gram, tuple[int, int]] = {}
    for counts in counted:
        for count in counts:
            for gram, often in count.items():
                first, second = tops.get(gram, (0, 0))
                tops[gram] = (often, first) if often > first else (first, max(second, often))
    lengths = sorted(len(entry) for entry in words)
    scores = [
        _brevity(len(entry), lengths) * _precision(counts, tops)
        for entry, counts in zip(words, counted, strict=True)
    ]
    return sum(scores) / len(scores)


def _precision(counts: Sequence[Counter[Gram]], tops: dict[Gram, tuple[int, int]]) -> float:
    # The geometric mean of the clipped n-gram precisions.
    total = 0.0
    for size, count in enumerate(counts, start=1):
        matched = 0
        for gram, often in count.items():
            first, second = tops[gram]
            matched += min(often, second if often == first else first)
        added = 0 if size == 1 else 1
        if matched + added == 0:
            return 0.0
        total += math.log((matched + added) / (count.total() + added))
    return math.exp(total / len(counts))


def _brevity(length: int, lengths: Sequence[int]) -> float:
    # Against the other text with the closest length.
    at = bisect_left(lengths, length)
    others = [lengths[index] for index in (at - 1, at + 1) if 0 <= index < len(lengths)]
    closest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= closest else math.exp(1 - closest / length)
