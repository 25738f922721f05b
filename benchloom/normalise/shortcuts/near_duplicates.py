"""Clusters of near duplicates: MinHash proposes pairs, exact Jaccard similarity decides.

The clusters depend on the set of shortcuts alone: not on their order, and not on the hash
functions but for the one pair in ten million at the threshold that no band proposes.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import rensa

from benchloom.normalise.shortcuts.fingerprints import Fingerprint

THRESHOLD = 0.8
PERMUTATIONS = 128
ROWS_PER_BAND = 4
"""32 bands of 4: a pair at 0.8 is missed with probability (1 - 0.8^4)^32 < 1e-7."""
SEED = 20
SETS_KEPT = 8192
REFUSALS_KEPT = 2_000_000
"""Pairs that other bands need not compare again, about 150 MB at most."""


class Similarity:
    """Jaccard similarities of shortcuts by index; recently used sets are kept."""

    def __init__(self, fingerprints: Sequence[Fingerprint]) -> None:
        self.sizes = [len(found.shingles) for found in fingerprints]
        self._refused: set[int] = set()

        @lru_cache(maxsize=SETS_KEPT)
        def shingles(index: int) -> frozenset[int]:
            return frozenset(fingerprints[index].shingles.tolist())

        self._shingles = shingles

    def of(self, one: int, other: int) -> float:
        """The similarity of two shortcuts that are not both empty."""
        common = len(self._shingles(one) & self._shingles(other))
        return common / (self.sizes[one] + self.sizes[other] - common)

    def reaches(self, one: int, other: int, threshold: float) -> bool:
        """Whether the similarity is at least `threshold`; the same one in every call."""
        low, high = sorted((self.sizes[one], self.sizes[other]))
        if low < threshold * high:
            return False
        pair = min(one, other) * len(self.sizes) + max(one, other)
        if pair in self._refused:
            return False
        if self.of(one, other) >= threshold:
            return True
        if len(self._refused) < REFUSALS_KEPT:
            self._refused.add(pair)
        return False


class Clusters:
    """Shortcuts joined to clusters; the anchor of a cluster is its smallest shortcut id."""

    def __init__(self, fingerprints: Sequence[Fingerprint]) -> None:
        self._fingerprints = fingerprints
        self._parent = list(range(len(fingerprints)))

    def find(self, index: int) -> int:
        """The representative of a shortcut's cluster."""
        parent = self._parent
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def join(self, one: int, other: int) -> None:
        """Put two shortcuts, and all that is joined to them, into one cluster."""
        first, second = self.find(one), self.find(other)
        if first != second:
            # The smaller id leads, so the representative is the anchor, whatever the order.
            if self._fingerprints[second].shortcut_id < self._fingerprints[first].shortcut_id:
                first, second = second, first
            self._parent[second] = first

    def anchors(self) -> list[str]:
        """The anchor of every shortcut, its own id where it has no near duplicate."""
        return [
            self._fingerprints[self.find(index)].shortcut_id
            for index in range(len(self._fingerprints))
        ]


def find_clusters(fingerprints: Sequence[Fingerprint], threshold: float = THRESHOLD) -> Clusters:
    """Join every pair of shortcuts whose shingles have a Jaccard similarity of `threshold`."""
    clusters = Clusters(fingerprints)
    filled = [index for index, found in enumerate(fingerprints) if len(found.shingles)]
    if not filled:
        return clusters
    similarity = Similarity(fingerprints)
    signatures = _signatures([fingerprints[index].shingles for index in filled])
    for band in range(0, PERMUTATIONS, ROWS_PER_BAND):
        groups: dict[bytes, list[int]] = defaultdict(list)
        rows = np.ascontiguousarray(signatures[:, band : band + ROWS_PER_BAND])
        for index, row in zip(filled, rows, strict=True):
            groups[row.tobytes()].append(index)
        for group in groups.values():
            if len(group) > 1:
                _join_similar(clusters, similarity, group, threshold)
    return clusters


def _signatures(
    sets: Sequence[np.ndarray[tuple[int], np.dtype[np.uint64]]],
) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    bounds = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(found) for found in sets], out=bounds[1:])
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
        np.concatenate(sets), bounds, PERMUTATIONS, SEED
    )
    return np.array(matrix.to_rows(), dtype=np.uint32)


def _join_similar(
    clusters: Clusters, similarity: Similarity, group: list[int], threshold: float
) -> None:
    """Join what is similar in a group that a band proposes.

    Clusters are compared until one pair of members is similar, so a large cluster costs one
    comparison per member and not one per pair.
    """
    by_cluster: dict[int, list[int]] = {}
    for index in group:
        by_cluster.setdefault(clusters.find(index), []).append(index)
    settled: list[list[int]] = []
    for members in by_cluster.values():
        joined = members
        apart: list[list[int]] = []
        for other in settled:
            if any(similarity.reaches(a, b, threshold) for a in joined for b in other):
                clusters.join(joined[0], other[0])
                joined = joined + other
            else:
                apart.append(other)
        settled = [*apart, joined]
