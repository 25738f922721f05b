"""Find clusters of near duplicates of shortcuts by the similarity of their actions.

MinHash proposes pairs, and their exact Jaccard similarity decides. The clusters do not depend on
the order of the shortcuts. They hardly depend on the hash functions either: MinHash misses only one
in ten million pairs whose similarity is at the threshold.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import rensa
from numpy.typing import NDArray

from benchloom.normalise.shortcuts.fingerprints import Fingerprints

THRESHOLD = 0.8
PERMUTATIONS = 128
ROWS_PER_BAND = 4
"""MinHash uses 32 bands of 4 rows: a pair with similarity 0.8 is missed with a probability of (1 -
0.8^4)^32 < 1e-7."""
SEED = 20
SETS_PER_BLOCK = 4096
"""This limits memory, because rensa returns its digests as Python integers."""
MAX_SETS = 8192
MAX_REFUSALS = 2_000_000
"""Maximum number of dissimilar pairs that are cached for other bands; they take about 150 MB."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Similarity:
    """Computes Jaccard similarities of shortcuts, and caches recently used sets of shingles.

    Shortcuts are named by their index in the fingerprints.
    """

    def __init__(self, fingerprints: Fingerprints) -> None:
        self.sizes: list[int] = fingerprints.sizes().tolist()
        self._refused: set[int] = set()

        @lru_cache(maxsize=MAX_SETS)
        def shingles(index: int) -> frozenset[int]:
            return frozenset(fingerprints.of(index).tolist())

        self._shingles = shingles

    def of(self, first: int, other: int) -> float:
        """Return the Jaccard similarity of two shortcuts. At most one may have no shingles."""
        common = len(self._shingles(first) & self._shingles(other))
        return common / (self.sizes[first] + self.sizes[other] - common)

    def reaches(self, first: int, other: int, threshold: float) -> bool:
        """Return whether two shortcuts have at least this similarity.

        The threshold must be the same in all calls, because dissimilar pairs are cached.
        """
        low, high = sorted((self.sizes[first], self.sizes[other]))
        if low < threshold * high:
            return False
        pair = min(first, other) * len(self.sizes) + max(first, other)
        if pair in self._refused:
            return False
        if self.of(first, other) >= threshold:
            return True
        if len(self._refused) < MAX_REFUSALS:
            self._refused.add(pair)
        return False


Anchors = dict[str, str]
"""Maps the id of a shortcut that has near duplicates to the smallest id in its cluster."""


class Clusters:
    """Clusters of shortcuts (a union-find). The anchor of a cluster is its smallest shortcut id."""

    def __init__(self, fingerprints: Fingerprints) -> None:
        self._ids = fingerprints.shortcut_ids
        self._parent = list(range(len(fingerprints)))

    def find(self, index: int) -> int:
        """Return the index of the shortcut that represents this shortcut's cluster."""
        parent = self._parent
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def join(self, shortcut: int, other: int) -> None:
        """Merge the clusters of two shortcuts, which are given by index."""
        first, second = self.find(shortcut), self.find(other)
        if first != second:
            # The smaller id leads, so the representative is the anchor, whatever the order.
            if self._ids[second] < self._ids[first]:
                first, second = second, first
            self._parent[second] = first

    def anchors(self) -> list[str]:
        """Return, for each shortcut, the smallest shortcut id in its cluster of near duplicates.

        A shortcut without near duplicates is its own anchor.
        """
        return [self._ids[self.find(index)] for index in range(len(self._ids))]


def shared_anchors(fingerprints: Fingerprints) -> Anchors:
    """Return a mapping from shortcut id to the smallest id in its cluster of near duplicates.

    Shortcuts without near duplicates are left out.
    """
    anchors = find_clusters(fingerprints).anchors()
    sizes = Counter(anchors)
    rows = zip(fingerprints.shortcut_ids, fingerprints.sizes().tolist(), anchors, strict=True)
    return {shortcut_id: anchor for shortcut_id, size, anchor in rows if size and sizes[anchor] > 1}


def find_clusters(fingerprints: Fingerprints) -> Clusters:
    """Put shortcuts whose similarity is at least `THRESHOLD` into the same cluster."""
    clusters = Clusters(fingerprints)
    similarity = Similarity(fingerprints)
    filled = np.flatnonzero(fingerprints.sizes())
    for hashes in _band_hashes(fingerprints):
        for group in _groups(hashes[filled]):
            _join_similar(clusters, similarity, filled[group].tolist())
    return clusters


def _band_hashes(fingerprints: Fingerprints) -> NDArray[np.uint64]:
    # One hash per band and shortcut: 256 bytes per shortcut in all.
    band_hashes = np.empty((PERMUTATIONS // ROWS_PER_BAND, len(fingerprints)), dtype=np.uint64)
    bounds = fingerprints.bounds
    for start in range(0, len(fingerprints), SETS_PER_BLOCK):
        block_bounds = bounds[start : start + SETS_PER_BLOCK + 1]
        matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
            fingerprints.shingles[block_bounds[0] : block_bounds[-1]],
            (block_bounds - block_bounds[0]).astype(np.uint64),
            PERMUTATIONS,
            SEED,
        )
        rows = np.array(matrix.to_rows(), dtype=np.uint32)
        band_hashes[:, start : start + len(rows)] = _mix(rows)
    return band_hashes


def _mix(signatures: NDArray[np.uint32]) -> NDArray[np.uint64]:
    # A collision only costs a comparison.
    halves = signatures.view(np.uint64).reshape(len(signatures), -1, 2)
    return (halves[:, :, 0] * _FACTOR + halves[:, :, 1]).T


def _groups(hashes: NDArray[np.uint64]) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(hashes, kind="stable")
    ranked = hashes[order]
    bounds = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1], [True]]))
    several = np.flatnonzero(np.diff(bounds) > 1)
    for start, stop in zip(bounds[several].tolist(), bounds[several + 1].tolist(), strict=True):
        yield order[start:stop]


def _join_similar(clusters: Clusters, similarity: Similarity, group: list[int]) -> None:
    # Two clusters are joined at the first similar pair of members, so a large cluster costs one
    # comparison per member instead of one per pair.
    by_cluster: dict[int, list[int]] = {}
    for index in group:
        by_cluster.setdefault(clusters.find(index), []).append(index)
    settled: list[list[int]] = []
    for members in by_cluster.values():
        joined = members
        apart: list[list[int]] = []
        for other in settled:
            if any(similarity.reaches(a, b, THRESHOLD) for a in joined for b in other):
                clusters.join(joined[0], other[0])
                joined = joined + other
            else:
                apart.append(other)
        settled = [*apart, joined]
