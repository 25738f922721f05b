"""Find texts with nearly the same request: the rule, and an index that searches in linear time.

The rule: words and word pairs have a Jaccard similarity of at least 0.6, and numbers and names
(words with a capital inside a sentence) are equal. A different value makes a different request.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import rensa

THRESHOLD: Final = 0.6
ROWS_PER_BAND: Final = 3
BANDS: Final = 42
"""42 bands of 3: a pair at 0.6 is missed with probability (1 - 0.6^3)^42 < 1e-4."""
SEED: Final = 20
MAX_IN_BUCKET: Final = 64
"""Maximum texts of a bucket that are proposed; larger buckets contain texts of one template."""
MAX_COMPARED: Final = 24
"""Maximum proposed texts that are compared, so that time is linear."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[^\W_]\s)[^\W\d_]*[A-Z][^\W_]*|(?<=[,;:]\s)[^\W\d_]*[A-Z][^\W_]*")
_Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]


class Shingled(NamedTuple):
    """The features by which texts are compared: hashes of words and word pairs, numbers, names."""

    shingles: _Numbers
    anchors: int


def plain_text(text: str) -> str:
    """Return a text's words in lower case, joined by single blanks."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def shingled(text: str) -> Shingled:
    """Compute the features of a text."""
    words = plain_text(text).split()
    shingles = {*words, *map(" ".join, pairwise(words))} or {""}
    names = {name.casefold() for name in _NAME.findall(text)} - {"i"}
    anchors = sorted(names.union(_NUMBER.findall(text)))
    return Shingled(
        np.unique(np.array([_hash(shingle) for shingle in shingles], np.uint64)),
        _hash("\0".join(anchors)),
    )


def similarity(first: Shingled, other: Shingled) -> float:
    """Return the Jaccard similarity of the shingles of two texts.

    Returns 0 if numbers or names differ.
    """
    if first.anchors != other.anchors:
        return 0.0
    common = len(np.intersect1d(first.shingles, other.shingles, assume_unique=True))
    return common / (len(first.shingles) + len(other.shingles) - common)


class NearTexts:
    """An index of texts, about 1.5 KB per text; it is searched for batches of texts."""

    def __init__(self, texts: Sequence[Shingled]) -> None:
        self._texts = texts
        keys = _band_keys(texts)
        self._orders = np.argsort(keys, axis=0, kind="stable").astype(np.uint32)
        self._keys = np.take_along_axis(keys, self._orders, axis=0)

    def near(self, queries: Sequence[Shingled]) -> Iterator[list[tuple[int, float]]]:
        """Yield, for each query, the similar texts in the index, the most similar first.

        Of many texts of one template only some are compared, so a list may be incomplete; a query
        with similar texts still gets some of them.
        """
        if not self._texts or not queries:
            yield from ([] for _ in queries)
            return
        keys = _band_keys(queries)
        first = np.empty(keys.shape, np.int64)
        last = np.empty(keys.shape, np.int64)
        for band in range(BANDS):
            first[:, band] = np.searchsorted(self._keys[:, band], keys[:, band], "left")
            last[:, band] = np.searchsorted(self._keys[:, band], keys[:, band], "right")
        for row, text in enumerate(queries):
            proposed: Counter[int] = Counter()
            for band in np.flatnonzero(last[row] > first[row]).tolist():
                start = int(first[row, band])
                end = min(int(last[row, band]), start + MAX_IN_BUCKET)
                proposed.update(self._orders[start:end, band].tolist())
            best = sorted(proposed, key=lambda index: (-proposed[index], index))[:MAX_COMPARED]
            scored = ((index, similarity(self._texts[index], text)) for index in best)
            near = [pair for pair in scored if pair[1] >= THRESHOLD]
            yield sorted(near, key=lambda pair: (-pair[1], pair[0]))


def _band_keys(texts: Sequence[Shingled]) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    # Texts with different numbers or names get different hashes.
    if not texts:
        return np.empty((0, BANDS), np.uint64)
    sets = [text.shingles for text in texts]
    bounds = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(shingle_set) for shingle_set in sets], out=bounds[1:])
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
        np.concatenate(sets), bounds, BANDS * ROWS_PER_BAND, SEED
    )
    rows = np.array(matrix.to_rows(), dtype=np.uint64).reshape(len(sets), BANDS, ROWS_PER_BAND)
    anchors = np.array([text.anchors for text in texts], np.uint64)
    mixed = np.repeat(anchors[:, None], BANDS, axis=1)
    for column in range(ROWS_PER_BAND):
        mixed = (mixed ^ rows[:, :, column]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
