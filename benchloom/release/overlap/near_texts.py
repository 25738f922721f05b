"""Find texts that make nearly the same request, in time that grows linearly with their number.

Two texts match if their sets of words and word pairs have a Jaccard similarity of at least 0.6, and
if their numbers and names (words with a capital inside a sentence) are equal. A request with a
different number or name is a different request.
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
"""MinHash uses 42 bands of 3 rows: a pair with similarity 0.6 is missed with a probability of (1 -
0.6^3)^42 < 1e-4."""
SEED: Final = 20
MAX_IN_BUCKET: Final = 64
"""Maximum number of texts with the same hash that are candidates. Larger groups are texts made from
one template."""
MAX_COMPARED: Final = 24
"""Maximum number of candidates that are compared with a text, so that time grows linearly."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[^\W_]\s)[^\W\d_]*[A-Z][^\W_]*|(?<=[,;:]\s)[^\W\d_]*[A-Z][^\W_]*")
_Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]


class Shingled(NamedTuple):
    """A text as hashes, for comparison.

    `shingles` are the hashes of its words and word pairs, and `anchors` is the hash of all its
    numbers and names.
    """

    shingles: _Numbers
    anchors: int


def plain_text(text: str) -> str:
    """Return the words of a text in lower case, joined by single spaces."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def shingled(text: str) -> Shingled:
    """Compute the hashes by which a text is compared: of words, word pairs, numbers and names."""
    words = plain_text(text).split()
    shingles = {*words, *map(" ".join, pairwise(words))} or {""}
    names = {name.casefold() for name in _NAME.findall(text)} - {"i"}
    anchors = sorted(names.union(_NUMBER.findall(text)))
    return Shingled(
        np.unique(np.array([_hash(shingle) for shingle in shingles], np.uint64)),
        _hash("\0".join(anchors)),
    )


def similarity(first: Shingled, other: Shingled) -> float:
    """Return the Jaccard similarity of two texts, or 0 if their numbers or names differ."""
    if first.anchors != other.anchors:
        return 0.0
    common = len(np.intersect1d(first.shingles, other.shingles, assume_unique=True))
    return common / (len(first.shingles) + len(other.shingles) - common)


class NearTexts:
    """A MinHash index of texts, which takes about 1.5 KB per text."""

    def __init__(self, texts: Sequence[Shingled]) -> None:
        self._texts = texts
        keys = _band_keys(texts)
        self._orders = np.argsort(keys, axis=0, kind="stable").astype(np.uint32)
        self._keys = np.take_along_axis(keys, self._orders, axis=0)

    def near(self, queries: Sequence[Shingled]) -> Iterator[list[tuple[int, float]]]:
        """Yield, for each query, pairs (index of a similar text, similarity), most similar first.

        If very many texts come from one template, a query is compared with only some of them. So a
        list may be incomplete, but it is not empty if many texts are similar.
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
